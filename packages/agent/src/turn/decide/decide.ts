/**
 * One decision: sends the request, streams its text and stores a receipt. Requests to an overloaded model are retried
 * for ten minutes; a request that is too large is retried once, after a compaction.
 */
import { CairnError, outputTokens, type RefusedRequest } from "@cairn/timeline";
import { statedTokens } from "../../model/context-limit.ts";
import type { ModelPart } from "../../model/model.ts";
import { ModelError } from "../../model/model-error.ts";
import { waitBefore } from "../../model/retry.ts";
import { fingerprintCalls, gatherDecision, type RawDecision } from "../../protocol/decision.ts";
import { protocolOf } from "../../protocol/protocol-of.ts";
import { partsOf, restOf, type Unfinished, unfinishedOf } from "../../protocol/unfinished.ts";
import { InFlightRequest, type PlannedRequest } from "../request/in-flight-request.ts";
import { keepReceipt } from "../request/keep-receipt.ts";
import { type PlanOptions, planDecision } from "../request/plan-request.ts";
import { coverRefusedFiles, isTooManyBytes } from "../request/refused-files.ts";
import { summarise } from "../request/summarise.ts";
import { tellLeftOut } from "../request/turn-settings.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { fallBack, hasFallback } from "./fall-back.ts";
import { LiveText } from "./live-text.ts";

/** Minimum number of attempts. Also the maximum number of interrupted answers, because each of them is billed. */
const FEW_ATTEMPTS = 5;
/** How long requests to an overloaded or unreachable provider are retried after that: outages last minutes. */
const PATIENCE_MS = 600_000;
/** Maximum time for retries when a fallback model is available. */
const SHORT_PATIENCE_MS = 20_000;

type DecideOptions = Pick<PlanOptions, "lastWord">;

export interface MadeDecision {
  readonly raw: RawDecision;
  /** Names of the streams of the calls, by the number of the call. */
  readonly streams: ReadonlyMap<number, string>;
  /** Ids that the calls already have, by the number of the call. */
  readonly callIds: ReadonlyMap<number, string>;
}

/** The text received before a cancellation interrupted the decision. */
export class DecisionInterrupted extends CairnError {
  readonly partial: string;

  constructor(partial: string) {
    super("cancelled", "The turn was cancelled while the model was answering.");
    this.partial = partial;
  }
}

export async function decide(context: TurnContext, options: DecideOptions = {}): Promise<MadeDecision> {
  for (;;) {
    try {
      return await decideWithModel(context, options);
    } catch (error) {
      if (!(error instanceof ModelError) || !(await fallBack(context, error))) throw error;
    }
  }
}

async function decideWithModel(context: TurnContext, options: DecideOptions): Promise<MadeDecision> {
  const replan = (how: PlanOptions) => planDecision(context, how, (compaction) => summarise(context, compaction));
  let plan: PlanOptions = options;
  let planned = await replan(plan);
  const trouble: Trouble = { attempts: 0, brokenOff: 0, waitedMs: 0, startedAt: context.now() };
  for (let compacted = false; ; ) {
    trouble.attempts++;
    try {
      return await ask(context, planned, options, trouble);
    } catch (error) {
      if (coverRefusedFiles(context, error)) {
        planned = await replan(plan);
        continue;
      }
      if (!(error instanceof ModelError)) throw error;
      if (error.kind === "context_limit" && !compacted) {
        compacted = true;
        // A request with too many bytes says nothing about how the model counts tokens.
        if (!isTooManyBytes(error)) context.progress.noteRefused(refusalOf(context, planned, error));
        planned = await replan({ ...plan, forceCompaction: true });
      } else if (error.kind === "fatal" && planned.request.output !== undefined) {
        // Providers limit schemas in more ways than they document, so a rejection may be about the schema.
        plan = { ...plan, outputByTool: true };
        planned = await replan(plan);
      } else if (error.kind === "transient") await backOff(context, error, trouble);
      else throw error;
    }
  }
}

/** What a rejection says about the model's token count: its numbers, or only that the window was exceeded. */
function refusalOf({ agent }: TurnContext, { tokens }: PlannedRequest, error: ModelError): RefusedRequest {
  const { contextTokens } = agent.model;
  const stated = statedTokens(error.message);
  return {
    estimated: tokens.tools + tokens.system + tokens.stable + tokens.tail,
    counted:
      stated === null ? contextTokens - outputTokens(agent.model) : (stated.counted * contextTokens) / stated.limit,
  };
}

/** Counts the failures of a decision. */
interface Trouble {
  attempts: number;
  /** Number of interrupted answers. */
  brokenOff: number;
  waitedMs: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** Waits before the next attempt; throws the error when no attempt is left. */
async function backOff(context: TurnContext, error: ModelError, trouble: Trouble): Promise<void> {
  const ms = waitBefore(trouble.attempts, error, { random: context.random });
  if (ms === null || trouble.brokenOff >= FEW_ATTEMPTS) throw error;
  const elapsedMs = Math.max(trouble.waitedMs, context.now() - trouble.startedAt);
  const patience = hasFallback(context) ? SHORT_PATIENCE_MS : PATIENCE_MS;
  const isLate = elapsedMs + ms > patience;
  if (isLate && (trouble.attempts >= FEW_ATTEMPTS || patience < PATIENCE_MS)) throw error;
  trouble.waitedMs += ms;
  context.listener({ type: "waiting", reason: error.message, ms });
  await context.sleep(ms, context.journal.workSignal);
}

/** The answer so far, then the rest as it arrives. */
async function* joinedParts(unfinished: Unfinished | null, parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  if (unfinished === null) return yield* parts;
  yield* partsOf(unfinished);
  yield* restOf(unfinished, parts);
}

async function ask(
  context: TurnContext,
  planned: PlannedRequest,
  options: DecideOptions,
  trouble: Trouble,
): Promise<MadeDecision> {
  const { agent, journal, progress } = context;
  const { live, unfinished } = progress;
  const text = live ?? new LiveText(context, `${context.turnId}.${progress.spent.iterations}.${context.ids.call()}`);
  const request = new InFlightRequest(context, planned);
  const thought: string[] = [];
  try {
    const written: string[] = [];
    let known = unfinished === null ? 0 : [...partsOf(unfinished)].length;
    const parts = agent.model.stream(planned.request, { signal: journal.workSignal, onSent: request.noteSent });
    const read = protocolOf(agent).parts?.(parts, planned.request) ?? parts;
    const raw = await gatherDecision(joinedParts(unfinished, read), (piece) => {
      const isNew = known-- <= 0;
      if (isNew) request.noteToken();
      if (isNew) written.push(piece.type === "call" ? piece.name : piece.text);
      if (piece.type === "thinking") thought.push(piece.text);
      // The open stream already shows the earlier parts of the answer.
      if (isNew || live === null) text.take(piece);
    });
    // The last answer of a turn is not continued.
    const isCut = options.lastWord === undefined && unfinishedOf(raw, 0) !== null;
    if (!isCut) await text.end();
    progress.keepLive(isCut ? text : null);
    await keepReceipt(context, request, {
      usage: raw.usage,
      written: written.join(""),
      ...(isCut ? {} : { decision: fingerprintCalls(raw) }),
    });
    progress.noteReasoned(unfinished === null && !isCut ? { model: agent.model.id, raw } : null);
    progress.noteThinking(raw.thinking);
    progress.noteAnswer();
    tellLeftOut(context, raw.leftOut);
    return { raw, streams: text.ofCalls, callIds: text.callIds };
  } catch (error) {
    await text.end();
    journal.signal.throwIfAborted();
    // The request was sent and will be billed, although its cost is unknown.
    if (request.isUnderWay) {
      trouble.brokenOff++;
      await keepReceipt(context, request, { usage: null });
    }
    progress.keepLive(null);
    if (journal.isCancelled) {
      progress.noteThinking(thought.join("").toWellFormed());
      throw new DecisionInterrupted(text.partial);
    }
    await journal.discardStreams();
    throw error instanceof ModelError || CairnError.is(error) ? error : new ModelError("fatal", String(error));
  }
}

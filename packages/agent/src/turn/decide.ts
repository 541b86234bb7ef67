/**
 * One decision: the request is sent, its text is passed on while it comes, and a receipt is kept. A model that is
 * overloaded is asked again, for ten minutes; a request that is too large is made again after a compaction, once.
 */
import { CairnError, outputTokens, type RefusedRequest } from "@cairn/timeline";
import { statedTokens } from "../model/context-limit.ts";
import type { ModelPart } from "../model/model.ts";
import { ModelError } from "../model/model-error.ts";
import { waitBefore } from "../model/retry.ts";
import { fingerprintCalls, gatherDecision, type RawDecision } from "../protocol/decision.ts";
import { askForRest, partsOf, restOf, type Unfinished, unfinishedOf } from "../protocol/unfinished.ts";
import { fallBack, hasFallback } from "./fall-back.ts";
import { keepReceipt } from "./keep-receipt.ts";
import { LiveText } from "./live-text.ts";
import { OpenRequest } from "./open-request.ts";
import { type PreparedRequest, prepareRequest } from "./prepare-request.ts";
import { coverRefusedFiles, isTooManyBytes } from "./refused-files.ts";
import type { TurnContext } from "./turn-context.ts";
import { decisionSettings, tellLeftOut } from "./turn-settings.ts";

/** Requests that are made in any case, and answers that may break off: each of those is billed. */
const FEW_ATTEMPTS = 5;
/** How long a provider that is overloaded or cannot be reached is asked again beyond that: outages last minutes. */
const PATIENCE_MS = 600_000;
/** The same where another model stands ready. */
const SHORT_PATIENCE_MS = 20_000;

export interface DecideOptions {
  /** Said behind everything else when the budget is used up; no tool may be called. */
  readonly lastWord?: string;
}

export interface MadeDecision {
  readonly raw: RawDecision;
  /** Streams by the number of the call whose text they hold. */
  readonly streams: ReadonlyMap<number, string>;
}

/** The text that came before a decision was cut off by a cancellation. */
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
  const { unfinished } = context.progress;
  const said = options.lastWord ?? (unfinished === null ? undefined : askForRest(unfinished));
  const lastWord = said === undefined ? {} : { lastWord: said };
  let prepared = await prepareRequest(context, lastWord);
  const trouble: Trouble = { attempts: 0, brokenOff: 0, waitedMs: 0, startedAt: context.now() };
  for (let compacted = false; ; ) {
    trouble.attempts++;
    try {
      return await ask(context, prepared, options, trouble);
    } catch (error) {
      if (coverRefusedFiles(context, error)) {
        prepared = await prepareRequest(context, lastWord);
        continue;
      }
      if (!(error instanceof ModelError)) throw error;
      if (error.kind === "context_limit" && !compacted) {
        compacted = true;
        // Too many bytes say nothing about how the model counts tokens.
        if (!isTooManyBytes(error)) context.progress.refused = refusalOf(context, prepared, error);
        prepared = await prepareRequest(context, { ...lastWord, forceCompaction: true });
      } else if (error.kind === "transient") await backOff(context, error, trouble);
      else throw error;
    }
  }
}

/** What a refusal says about how the model counts: by the numbers it states, or that its window was not enough. */
function refusalOf({ agent }: TurnContext, { tokens }: PreparedRequest, error: ModelError): RefusedRequest {
  const { contextTokens } = agent.model;
  const stated = statedTokens(error.message);
  return {
    estimated: tokens.tools + tokens.system + tokens.stable + tokens.tail,
    counted:
      stated === null ? contextTokens - outputTokens(agent.model) : (stated.counted * contextTokens) / stated.limit,
  };
}

/** What has gone wrong with a decision so far. */
interface Trouble {
  attempts: number;
  /** Answers that had begun. */
  brokenOff: number;
  waitedMs: number;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

/** Waits before the next attempt; throws the error when there should be none. */
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

/** The answer so far, then the rest as it comes. */
async function* joinedParts(unfinished: Unfinished | null, parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  if (unfinished === null) return yield* parts;
  yield* partsOf(unfinished);
  yield* restOf(unfinished, parts);
}

async function ask(
  context: TurnContext,
  prepared: PreparedRequest,
  options: DecideOptions,
  trouble: Trouble,
): Promise<MadeDecision> {
  const { agent, journal, progress } = context;
  const { live, unfinished } = progress;
  const text = live ?? new LiveText(context, `${context.turnId}.${progress.spent.iterations}.${context.ids.call()}`);
  const { settings } = decisionSettings(context);
  const open = new OpenRequest(context, {
    view: prepared.view,
    ttl: prepared.ttl,
    maxOutputTokens: Math.min(outputTokens(agent.model), settings?.maxOutputTokens ?? Number.POSITIVE_INFINITY),
    ...(options.lastWord === undefined ? {} : { toolChoice: "none" }),
    ...(settings === undefined ? {} : { settings }),
  });
  const purpose = unfinished === null ? ("decision" as const) : ("continuation" as const);
  const made = () => ({ purpose, ...open.facts(), tokens: prepared.tokens });
  try {
    const written: string[] = [];
    let known = unfinished === null ? 0 : [...partsOf(unfinished)].length;
    const raw = await gatherDecision(joinedParts(unfinished, open.parts()), (piece) => {
      const isNew = known-- <= 0;
      if (isNew) written.push(piece.type === "call" ? piece.name : piece.text);
      // A stream that is open has shown the earlier parts already.
      if (isNew || live === null) text.take(piece);
    });
    // The last word of a turn is not continued.
    const isCut = options.lastWord === undefined && unfinishedOf(raw, 0) !== null;
    if (!isCut) await text.end();
    progress.live = isCut ? text : null;
    await keepReceipt(context, {
      ...{ ...made(), usage: raw.usage, written: written.join("") },
      ...(isCut ? {} : { decision: fingerprintCalls(raw) }),
    });
    progress.notices = [];
    tellLeftOut(context, raw.leftOut);
    return { raw, streams: text.ofCalls };
  } catch (error) {
    await text.end();
    journal.signal.throwIfAborted();
    // It was sent and will be billed, though nobody has said how much.
    if (open.isUnderWay) {
      trouble.brokenOff++;
      await keepReceipt(context, { ...made(), usage: null });
    }
    progress.live = null;
    if (journal.isCancelled) throw new DecisionInterrupted(text.partial);
    await journal.discardStreams();
    throw error instanceof ModelError || CairnError.is(error) ? error : new ModelError("fatal", String(error));
  }
}

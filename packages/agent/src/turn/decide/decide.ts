/**
 * One decision: sends the request, streams its text, stores a receipt and interprets the answer. Requests to an
 * overloaded model are retried for ten minutes; a request that is too large is retried once, after a compaction.
 *
 * After a violation, the raw text and a notice about the mistake are stored, and the model is asked again. Too many
 * violations in a row end the turn. The same calls again are a violation, unless one of them had a transient failure.
 */
import { type Block, CairnError, type Json, type ToolError } from "@cairn/timeline";
import { ModelError } from "../../model/model-error.ts";
import { readOutput } from "../../output/read-output.ts";
import { askForDecision } from "../../protocol/ask-model.ts";
import {
  type Answer,
  type Decision,
  fingerprintCalls,
  type RawDecision,
  type Violation,
} from "../../protocol/decision.ts";
import { partsOf, unfinishedOf } from "../../protocol/unfinished.ts";
import { afterRequest } from "../hooks/turn-hooks.ts";
import { InFlightRequest, type PlannedRequest } from "../request/in-flight-request.ts";
import { keepReceipt } from "../request/keep-receipt.ts";
import { type PlanOptions, planDecision } from "../request/plan-request.ts";
import { coverRefusedFiles, isTooManyBytes } from "../request/refused-files.ts";
import { summarise } from "../request/summarise.ts";
import { decisionSettings, tellLeftOut } from "../request/turn-settings.ts";
import { noticeBlock } from "../state/notice-block.ts";
import type { TurnContext } from "../state/turn-context.ts";
import { continueAnswer, cutOffText } from "./continue-answer.ts";
import { fallBack } from "./fall-back.ts";
import { LiveText } from "./live-text.ts";
import { findRepeated } from "./repeated-decision.ts";
import { backOff, refusalOf, type Trouble } from "./retry-request.ts";

const MAX_VIOLATIONS = 3;
const MAX_RAW_LENGTH = 20_000;

type AskedOptions = Pick<PlanOptions, "lastWord">;

/** The calls that the listener has seen so far. */
interface ShownCalls {
  /** Names of the streams of the calls, by the number of the call. */
  readonly streams: ReadonlyMap<number, string>;
  /** Ids that the calls already have, by the number of the call. */
  readonly callIds: ReadonlyMap<number, string>;
}

interface ReceivedAnswer extends ShownCalls {
  readonly raw: RawDecision;
  readonly decision: Decision;
}

/** `output`: the value of structured output; the text is its JSON. */
type ReadAnswer = Answer & { readonly output?: Json };

/** A violation that was answered with a notice. */
interface Refused {
  readonly kind: "violation";
  /** Whether the model is not asked again. Then `message` is the text for the user. */
  readonly final: boolean;
  readonly message: string;
  readonly error?: Pick<ToolError, "code" | "message">;
}

export type Decided =
  | Extract<Decision, { kind: "question" }>
  | (Extract<Decision, { kind: "calls" }> & ShownCalls)
  | ReadAnswer
  | Refused
  /** The next request asks for the rest of the answer. */
  | { readonly kind: "unfinished" }
  /** The model was stopped before the end of its answer. */
  | { readonly kind: "cut"; readonly text: string };

/** The text that had arrived when a cancellation interrupted the decision. */
export class DecisionInterrupted extends CairnError {
  readonly partial: string;

  constructor(partial: string) {
    super("cancelled", "The turn was cancelled while the model was answering.");
    this.partial = partial;
  }
}

export async function decide(context: TurnContext): Promise<Decided> {
  const { raw, decision, ...shown } = await askWithFallback(context, {});
  const rest = await continueAnswer(context, raw);
  if (rest === "continues") return { kind: "unfinished" };
  if (rest === "ends") return { kind: "cut", text: cutOffText(raw.text, "it is longer than the model writes") };
  const understood = await understand(context, raw, decision);
  return understood.kind === "calls" ? { ...understood, ...shown } : understood;
}

/** The last answer of a turn, in which no tool may be called. It is not continued. */
export async function lastAnswer(context: TurnContext, lastWord: string): Promise<string> {
  return (await askWithFallback(context, { lastWord })).raw.text;
}

async function askWithFallback(context: TurnContext, options: AskedOptions): Promise<ReceivedAnswer> {
  for (;;) {
    try {
      return await askWithRetries(context, options);
    } catch (error) {
      if (!(error instanceof ModelError) || !(await fallBack(context, error))) throw error;
    }
  }
}

async function askWithRetries(context: TurnContext, options: AskedOptions): Promise<ReceivedAnswer> {
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
        // A rejection for too many bytes says nothing about how the model counts tokens.
        if (!isTooManyBytes(error)) context.progress.noteRefused(refusalOf(context, planned, error));
        planned = await replan({ ...plan, forceCompaction: true });
      } else if (error.kind === "fatal" && planned.request.output !== undefined) {
        // Providers limit schemas in more ways than they document, so the schema may be the cause of a rejection.
        plan = { ...plan, outputByTool: true };
        planned = await replan(plan);
      } else if (error.kind === "transient") await backOff(context, error, trouble);
      else throw error;
    }
  }
}

async function ask(
  context: TurnContext,
  planned: PlannedRequest,
  options: AskedOptions,
  trouble: Trouble,
): Promise<ReceivedAnswer> {
  const { agent, journal, progress, registry } = context;
  const { live, unfinished } = progress;
  const text = live ?? new LiveText(context, `${context.turnId}.${progress.spent.iterations}.${context.ids.call()}`);
  const request = new InFlightRequest(context, planned);
  const thought: string[] = [];
  try {
    const written: string[] = [];
    let known = unfinished === null ? 0 : [...partsOf(unfinished)].length;
    const { raw, decision } = await askForDecision(agent, planned.request, {
      signal: journal.workSignal,
      onSent: request.noteSent,
      checkCall: (name, params) => registry.check(name, params),
      unfinished,
      onPiece: (piece) => {
        const isNew = known-- <= 0;
        if (isNew) request.noteToken();
        if (isNew) written.push(piece.type === "call" ? piece.name : piece.text);
        if (piece.type === "thinking") thought.push(piece.text);
        // The open stream already shows the earlier parts of the answer.
        if (isNew || live === null) text.take(piece);
      },
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
    return { raw, decision, streams: text.ofCalls, callIds: text.callIds };
  } catch (error) {
    await text.end();
    journal.signal.throwIfAborted();
    // The request was sent, so it will be billed although its cost is unknown.
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

async function understand(
  context: TurnContext,
  raw: RawDecision,
  made: Decision,
): Promise<Exclude<Decision, Violation | Answer> | ReadAnswer | Refused> {
  const { progress } = context;
  const allowed = (await refusedByHook(context, raw)) ?? findRepeated(context, raw) ?? forbidden(context, made);
  const decision = allowed.kind === "answer" ? readAnswer(context, allowed) : allowed;
  if (decision.kind !== "violation") {
    progress.noteDecision(fingerprintCalls(raw));
    return decision;
  }
  const final = progress.noteViolation() > MAX_VIOLATIONS;
  if (final && decision.orAnswer !== undefined && context.output === null) return decision.orAnswer;
  const { journal, turnId } = context;
  progress.noteReasoned(null);
  // The reasoning led to no text and no call, so it is dropped.
  progress.takeThinking();
  journal.timeline.contribute([rawBlock(turnId, raw), noticeBlock(context, decision.code, decision.message)]);
  await journal.commit(journal.openStreams);
  if (!final) return { kind: "violation", final, message: decision.message };
  if (decision.code === HOOK_REFUSED) {
    const error = { code: HOOK_REFUSED, message: decision.message };
    return { kind: "violation", final, message: NO_ANSWER, error };
  }
  if (decision.code !== BAD_OUTPUT) return { kind: "violation", final, message: NO_ANSWER };
  const error = { code: "bad_output", message: `${NO_OUTPUT} ${decision.message}` };
  return { kind: "violation", final, message: NO_OUTPUT, error };
}

const HOOK_REFUSED = "hook_refused";

async function refusedByHook(context: TurnContext, raw: RawDecision): Promise<Violation | null> {
  const reason = await afterRequest(context, raw);
  return reason === null ? null : { kind: "violation", code: HOOK_REFUSED, message: reason };
}

const BAD_OUTPUT = "protocol_violation.bad_output";
const NO_OUTPUT = "I could not give the answer in the form that was asked for.";

/** The answer: text, or the value that the message asked for. */
function readAnswer({ output }: TurnContext, answer: Answer): ReadAnswer | Violation {
  if (output === null)
    return answer.notes === undefined
      ? answer
      : {
          kind: "violation",
          code: BAD_OUTPUT,
          message: "The user's message does not ask for structured output. Answer in words.",
        };
  if (answer.declined === true) return answer;
  const read = readOutput(answer.text, output);
  if ("value" in read) return { ...answer, text: JSON.stringify(read.value), output: read.value };
  const message = `The answer does not match the JSON Schema of the message:\n${read.problem}\nGive the whole value again, with give_output.`;
  return { kind: "violation", code: BAD_OUTPUT, message };
}

const NO_ANSWER = "I could not find a way to answer that. Please put it differently.";

/** The provider allows no calls in its own form, but a model that calls tools in text may still write one. */
function forbidden(context: TurnContext, decision: Decision): Decision {
  if (decision.kind !== "calls" || decisionSettings(context).settings?.toolChoice !== "none") return decision;
  const message = "No tool may be called now. Answer the user.";
  return { kind: "violation", code: "protocol_violation.no_calls_allowed", message };
}

/** The beginning of the model's text. The model sees this text again, so it must not fill the window. */
function rawBlock(turnId: string, raw: RawDecision): Block {
  const whole = JSON.stringify({ text: raw.text, calls: raw.calls.map(({ name, params }) => ({ name, params })) });
  const text =
    whole.length <= MAX_RAW_LENGTH ? whole : `${whole.slice(0, MAX_RAW_LENGTH).toWellFormed()}...[truncated]`;
  return { type: "react.decision.raw", author: "react", turn_id: turnId, mime: "application/json", text };
}

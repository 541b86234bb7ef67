/**
 * Interprets a decision. For a violation, the raw text is stored, a notice says what was wrong, and the model is asked
 * again. Too many violations in a row end the turn; so do repeated identical calls, unless one of them had a transient
 * failure.
 */
import type { Block, Json, TimelineState, ToolError } from "@cairn/timeline";
import { readOutput } from "../../output/read-output.ts";
import { type CheckCall, type Decision, fingerprintCalls, type RawDecision } from "../../protocol/decision.ts";
import { protocolOf } from "../../protocol/protocol-of.ts";
import { afterRequest } from "../hooks/turn-hooks.ts";
import { requestTools } from "../request/plan-request.ts";
import { decisionSettings } from "../request/turn-settings.ts";
import { noticeBlock } from "../state/notice-block.ts";
import type { TurnContext } from "../state/turn-context.ts";

const MAX_VIOLATIONS = 3;
const MAX_RAW_LENGTH = 20_000;

type Violation = Extract<Decision, { kind: "violation" }>;
type Answer = Extract<Decision, { kind: "answer" }>;

/** `output`: the value of structured output; the text is its JSON. */
type ReadAnswer = Answer & { readonly output?: Json };

export type Understood =
  | Exclude<Decision, { kind: "violation" | "answer" }>
  | ReadAnswer
  /** `final`: the model will not be asked again; `message` is then for the user. */
  | {
      readonly kind: "violation";
      readonly final: boolean;
      readonly message: string;
      readonly error?: Pick<ToolError, "code" | "message">;
    };

export async function understand(context: TurnContext, raw: RawDecision): Promise<Understood> {
  const { progress, registry } = context;
  const check: CheckCall = (name, params) => registry.check(name, params);
  const read =
    (await refusedByHook(context, raw)) ??
    repeated(context, raw) ??
    forbidden(context, protocolOf(context.agent).read(raw, check, requestTools(context)));
  const decision = read.kind === "answer" ? readAnswer(context, read) : read;
  if (decision.kind !== "violation") {
    progress.noteDecision(fingerprintCalls(raw));
    return decision;
  }
  const final = progress.noteViolation() > MAX_VIOLATIONS;
  if (final && decision.orAnswer !== undefined && context.output === null) return decision.orAnswer;
  const { journal, turnId } = context;
  progress.noteReasoned(null);
  // People see nothing that resulted from this reasoning, so it is dropped.
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

/** An answer in words, or the value that the message asked for. */
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

/** Identical calls give identical results, so the model is in a loop. */
function repeated(context: TurnContext, raw: RawDecision): Decision | null {
  if (raw.calls.length === 0 || fingerprintCalls(raw) !== context.progress.lastDecision) return null;
  if (mayRepeat(context.journal.timeline.state, context.turnId)) return null;
  const message =
    "These are the same calls as in the last decision, and their results are above. Use them, or do something else.";
  return { kind: "violation", code: "protocol_violation.repeated_decision", message };
}

/** The provider enforces that no tool is called, but the text of an answer can contain a call. */
function forbidden(context: TurnContext, decision: Decision): Decision {
  if (decision.kind !== "calls" || decisionSettings(context).settings?.toolChoice !== "none") return decision;
  const message = "No tool may be called now. Answer the user.";
  return { kind: "violation", code: "protocol_violation.no_calls_allowed", message };
}

/** Maximum number of retries in a row of a decision that failed. */
const MAX_REPEATS = 3;

/** Whether a call of the last decision had a transient failure, and this did not happen too often in a row. */
function mayRepeat(state: TimelineState, turnId: string): boolean {
  const failed = new Map<number, boolean>();
  for (const { block, digest } of state.turnEntries(turnId)) {
    const iteration = block.meta?.iteration;
    if (typeof iteration !== "number") continue;
    const isTransient = digest?.error !== undefined && isTransientFailure(digest.error);
    failed.set(iteration, isTransient || (failed.get(iteration) ?? false));
  }
  const latest = [...failed].sort(([a], [b]) => b - a).map(([, hasFailed]) => hasFailed);
  const inARow = latest.indexOf(false) === -1 ? latest.length : latest.indexOf(false);
  return inARow > 0 && inARow <= MAX_REPEATS;
}

const TRANSIENT_CODES: ReadonlySet<string> = new Set(["tool_exception", "tool_interrupted"]);
const TRANSIENT_WORDS =
  /time[d\s_-]*out|unavailable|temporar|transient|rate.?limit|too.?many.?requests|overload|\bbusy\b|try again|retry|interrupted|network|connection|socket|E(?:CONN|PIPE|AI_AGAIN|HOST|NET)|\b(?:429|500|502|503|504|529)\b/i;

/**
 * Whether the same call may succeed next time. A tool indicates a transient failure with a code or words such as
 * "timeout"; an unexpected exception, and a call interrupted by a crash, count as transient too.
 */
function isTransientFailure({ code, message }: Pick<ToolError, "code" | "message">): boolean {
  return TRANSIENT_CODES.has(code) || TRANSIENT_WORDS.test(code) || TRANSIENT_WORDS.test(message);
}

/** The beginning of the model's text: it is shown to the model once more and must not fill the window. */
function rawBlock(turnId: string, raw: RawDecision): Block {
  const whole = JSON.stringify({ text: raw.text, calls: raw.calls.map(({ name, params }) => ({ name, params })) });
  const text =
    whole.length <= MAX_RAW_LENGTH ? whole : `${whole.slice(0, MAX_RAW_LENGTH).toWellFormed()}...[truncated]`;
  return { type: "react.decision.raw", author: "react", turn_id: turnId, mime: "application/json", text };
}

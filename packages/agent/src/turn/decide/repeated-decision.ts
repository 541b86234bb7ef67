/** Detects a decision that repeats the last one, which is a violation unless a call had a transient failure. */
import type { TimelineState, ToolError } from "@cairn/timeline";
import { fingerprintCalls, type RawDecision, type Violation } from "../../protocol/decision.ts";
import type { TurnContext } from "../state/turn-context.ts";

/** The violation for the same calls as in the last decision. They give the same results, so the model is in a loop. */
export function findRepeated(context: TurnContext, raw: RawDecision): Violation | null {
  if (raw.calls.length === 0 || fingerprintCalls(raw) !== context.progress.lastDecision) return null;
  if (mayRepeat(context.journal.timeline.state, context.turnId)) return null;
  const message =
    "These are the same calls as in the last decision, and their results are above. Use them, or do something else.";
  return { kind: "violation", code: "protocol_violation.repeated_decision", message };
}

/** Maximum number of times in a row that a decision with a transient failure may be repeated. */
const MAX_REPEATS = 3;

/** Whether a call of the last decision had a transient failure, and the decision was not repeated too often. */
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

/**
 * Transient failures: the same call may succeed next time. A tool indicates one with a code or words such as "timeout"
 * or "unavailable"; an unexpected exception, and a call interrupted by a crash, count as well.
 */
import type { ToolError } from "@cairn/timeline";

const CODES: ReadonlySet<string> = new Set(["tool_exception", "tool_interrupted"]);
const WORDS =
  /time[d\s_-]*out|unavailable|temporar|transient|rate.?limit|too.?many.?requests|overload|\bbusy\b|try again|retry|interrupted|network|connection|socket|E(?:CONN|PIPE|AI_AGAIN|HOST|NET)|\b(?:429|500|502|503|504|529)\b/i;

export function isTransientFailure({ code, message }: Pick<ToolError, "code" | "message">): boolean {
  return CODES.has(code) || WORDS.test(code) || WORDS.test(message);
}

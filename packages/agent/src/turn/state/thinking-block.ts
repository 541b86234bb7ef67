/**
 * The readable reasoning of a decision, kept for its user. The model never sees it again. It stands before the notes and
 * calls of its decision, or before the answer.
 */
import type { Block, JsonObject } from "@cairn/timeline";
import type { TurnContext } from "./turn-context.ts";

/** Maximum number of characters of stored reasoning. Longer reasoning is cut. */
const MAX_LENGTH = 100_000;
const CUT = "\n…";

/** Adds the reasoning so far, if any, as a block. `callId`: the first call of the decision; null for an answer. */
export function thinkingBlocks(
  { progress, turnId }: Pick<TurnContext, "progress" | "turnId">,
  callId: string | null,
  isInternal: boolean,
): Block[] {
  const text = progress.takeThinking().trim();
  if (text === "") return [];
  const meta: JsonObject = {
    iteration: progress.spent.iterations,
    ...(callId === null ? {} : { tool_call_id: callId }),
    ...(isInternal ? { visibility: "internal" } : {}),
  };
  const kept = cutThinking(text);
  return [{ type: "react.thinking", author: "react", turn_id: turnId, mime: "text/plain", text: kept, meta }];
}

export function cutThinking(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - CUT.length).toWellFormed()}${CUT}`;
}

/**
 * Groups: the message blocks that arrive together between two requests and may travel as one wire block.
 *
 * Providers look back over a limited number of wire blocks, so few are better than many; but a wire block that was
 * sent must never change. All blocks of one decision are appended before the next request, and so are the opening and
 * the completion of a turn: each of these is a group. Anything else stands alone.
 */
import { iterationOf } from "../block/call.ts";
import type { Entry } from "../state/entry.ts";
import { isCompletion } from "./rounds.ts";

const OPENING_TYPES = new Set(["turn.header", "user.attachment.meta", "user.attachment"]);

/** Entries next to each other with the same key are one group; null never groups. */
export function groupKey(entry: Entry): string | null {
  const { block, callId } = entry;
  const turn = block.turn_id ?? "";
  if (OPENING_TYPES.has(block.type) || isFirstPrompt(entry)) return `opening ${turn}`;
  if (isCompletion(entry)) return `completion ${turn}`;
  if (callId === null) return null;
  const iteration = iterationOf(block);
  return iteration === null ? `call ${callId}` : `decision ${turn} ${iteration}`;
}

/** A steering message comes after a request and must not grow the opening that was sent with it. */
function isFirstPrompt({ block }: Entry): boolean {
  return block.type === "user.prompt" && !/\.user\.prompt\.\d+$/.test(block.path ?? "");
}

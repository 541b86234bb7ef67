/**
 * Groups: the message blocks that arrive together between two requests and may travel as one wire block.
 *
 * Providers look back over a limited number of wire blocks, so few wire blocks are better than many; but a wire block
 * that was sent must never change. All blocks of one decision are appended before the next request, and so are the
 * opening and the completion of a turn: each of these is a group. Any other block is its own group.
 */
import { iterationOf } from "../block/call.ts";
import type { Entry } from "../state/entry.ts";

/** Whether two entries next to each other belong to one group. */
export function isSameGroup(a: Entry, b: Entry): boolean {
  const group = a.kind.group(a.block);
  if (group !== b.kind.group(b.block)) return false;
  if (group !== "call") return a.block.turn_id === b.block.turn_id;
  if (a.call === null || b.call === null) return false;
  const iteration = iterationOf(a.block);
  if (iteration !== iterationOf(b.block)) return false;
  return iteration === null ? a.call === b.call : a.block.turn_id === b.block.turn_id;
}

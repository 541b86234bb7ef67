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

/** Whether two entries next to each other belong to one group. */
export function isSameGroup(a: Entry, b: Entry): boolean {
  const part = partOf(a);
  if (part !== partOf(b)) return false;
  if (part !== "call") return a.block.turn_id === b.block.turn_id;
  if (a.call === null || b.call === null) return false;
  const iteration = iterationOf(a.block);
  if (iteration !== iterationOf(b.block)) return false;
  return iteration === null ? a.call === b.call : a.block.turn_id === b.block.turn_id;
}

function partOf(entry: Entry): "opening" | "completion" | "call" {
  if (isOpening(entry)) return "opening";
  return isCompletion(entry) ? "completion" : "call";
}

/** A steering message comes after a request and must not grow the opening that was sent with it. */
function isOpening({ type, block }: Entry): boolean {
  if (type === "user.prompt") return !/\.user\.prompt\.\d+$/.test(block.path ?? "");
  return type === "turn.header" || type === "user.attachment.meta" || type === "user.attachment";
}

/**
 * Explains why the stable blocks of one request are not the beginning of the next: the first block that differs, and
 * whether it was changed, removed, moved, or pushed back by other blocks. The time is linear in the number of blocks.
 */
import type { MessageBlock } from "../message/message.ts";
import type { Difference } from "./difference.ts";
import type { SentRequest } from "./sent-request.ts";
import { describeChange } from "./text-change.ts";

export function differenceOfBlocks(before: SentRequest, after: SentRequest): Difference | null {
  for (let index = 0; index < before.length; index++)
    if (before.hashAt(index) !== after.hashAt(index)) return describe(before, after, index);
  return null;
}

function describe(before: SentRequest, after: SentRequest, index: number): Difference {
  const [old, now] = [before.messageAt?.(index), after.messageAt?.(index)];
  const at = { part: "block" as const, index };
  const lost = before.length - index;
  if (index >= after.length) {
    const title = `The prefix was shortened: it ends before block ${index}${nameOf(old)}`;
    return { at, detail: `${title}, ${lost} of ${before.length} blocks are gone.`, ...excerpts(old, undefined) };
  }
  const oldNow = indexOf(after, before.hashAt(index), index + 1);
  const nowBefore = indexOf(before, after.hashAt(index), index + 1);
  if (oldNow !== null && nowBefore !== null) {
    const detail = `Blocks were reordered: block ${index}${nameOf(old)} is now block ${oldNow}, and block ${nowBefore} took its place.`;
    return { at, detail, ...excerpts(old, now) };
  }
  if (nowBefore !== null) {
    const detail = `${blocks(nowBefore - index)} removed at block ${index}${nameOf(old)}; the blocks after that moved up.`;
    return { at, detail, ...excerpts(old, now) };
  }
  if (oldNow !== null) {
    const detail = `${blocks(oldNow - index)} inserted before block ${index}${nameOf(old)}.`;
    return { at, detail, ...excerpts(old, now) };
  }
  if (old?.type !== "text" || now?.type !== "text") {
    const became =
      now === undefined || old === undefined || now.type === old.type ? "" : `: ${old.type} became ${now.type}`;
    return { at, detail: `Block ${index}${nameOf(old)} changed${became}.`, ...excerpts(old, now) };
  }
  const change = describeChange(old.text, now.text);
  const detail = `Block ${index}${nameOf(old)} changed: ${change.how}.`;
  return { at, detail, before: change.before, after: change.after };
}

function blocks(count: number): string {
  return count === 1 ? "1 block was" : `${count} blocks were`;
}

function indexOf(request: SentRequest, hash: string | undefined, from: number): number | null {
  for (let index = from; index < request.length; index++) if (request.hashAt(index) === hash) return index;
  return null;
}

const NAME_LENGTH = 80;

/** The first line of a block, which identifies it to people. */
function nameOf(message: MessageBlock | undefined): string {
  const title = message === undefined ? "" : titleOf(message);
  return title === "" ? "" : ` (${title})`;
}

function titleOf(message: MessageBlock): string {
  if (message.type !== "text") return `${message.type} ${message.media_type}`;
  const line = message.text.slice(0, NAME_LENGTH).split(/[\n\r]/, 1)[0] ?? "";
  return line.toWellFormed();
}

function excerpts(old: MessageBlock | undefined, now: MessageBlock | undefined): Pick<Difference, "before" | "after"> {
  return {
    ...(old === undefined ? {} : { before: titleOf(old) }),
    ...(now === undefined ? {} : { after: titleOf(now) }),
  };
}

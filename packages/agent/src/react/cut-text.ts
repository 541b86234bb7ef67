/**
 * Cuts a text for a read: to the requested lines, or to as many whole lines from the beginning as fit. Lines are the
 * engine's lines, as in the note of a clipped block: a very long line counts as several.
 */
import { LineWalk } from "@cairn/timeline";

export interface LineRange {
  readonly from: number;
  readonly to?: number | undefined;
}

export interface CutText {
  readonly text: string;
  /** The first shown line and the number of lines; null when the whole text is shown. */
  readonly place: { readonly from: number; readonly of: number } | null;
  /** Which lines are shown, in words; null when the whole text is shown. */
  readonly lines: string | null;
}

/** Lines `range.from` to `range.to`, counted from 1, at most `mostChars`. Empty when no such line exists. */
export function cutText(text: string, range: LineRange | undefined, mostChars: number): CutText {
  if (range === undefined && text.length <= mostChars) return { text, place: null, lines: null };
  const from = range?.from ?? 1;
  const last = range?.to ?? Number.POSITIVE_INFINITY;
  const walk = new LineWalk(text);
  walk.skipTo(from - 1);
  const start = walk.at;
  const exists = !walk.isDone;
  let end = start;
  let shown = from - 1;
  while (!walk.isDone && walk.count < last) {
    walk.next();
    if (walk.at - start > mostChars) break;
    end = walk.at;
    shown = walk.count;
  }
  walk.skipTo(Number.POSITIVE_INFINITY);
  const of = walk.count;
  if (!exists) return { text: "", place: null, lines: `none: there are ${of}` };
  if (last < from) return { text: "", place: null, lines: `none of ${of}: line ${last} comes before line ${from}` };
  if (shown < from) return { text: "", place: null, lines: `none of ${of}: too much at once, read it by itself` };
  if (start === 0 && end === text.length) return { text, place: null, lines: null };
  return { text: text.slice(start, end), place: { from, of }, lines: `${from}-${shown} of ${of}` };
}

/**
 * How much of a text a read shows: the lines asked for, or the beginning, as many whole lines as fit. Lines are those of
 * the engine, which the end of a clipped block names: a very long line counts as several.
 */
import { LineWalk } from "@cairn/timeline";

export interface LineRange {
  readonly from: number;
  readonly to?: number | undefined;
}

export interface CutText {
  readonly text: string;
  /** The first line that is shown, and how many there are; null when all of the text is shown. */
  readonly place: { readonly from: number; readonly of: number } | null;
  /** Which lines are shown of how many, for the reader; null when all of the text is shown. */
  readonly lines: string | null;
}

/** Lines `range.from` to `range.to`, counted from 1, and at most `mostChars`. An empty text when no such line exists. */
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

/**
 * How much of a text a read shows: the lines asked for, or the beginning, as many whole lines as fit. A single line
 * that does not fit is cut. Texts end at `\n`; the last line need not.
 */
export interface LineRange {
  readonly from: number;
  readonly to?: number | undefined;
}

export interface CutText {
  readonly text: string;
  /** Which lines are shown of how many; null when all of it is. */
  readonly lines: string | null;
}

/** Lines `range.from` to `range.to`, counted from 1, and at most `mostChars`. An empty text when no such line exists. */
export function cutText(text: string, range: LineRange | undefined, mostChars: number): CutText {
  if (range === undefined && text.length <= mostChars) return { text, lines: null };
  const first = range?.from ?? 1;
  const last = range?.to ?? Number.POSITIVE_INFINITY;
  let start = -1;
  let end = 0;
  let shown = first - 1;
  let total = 0;
  let cutInside = false;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const next = newline === -1 ? text.length : newline + 1;
    total++;
    if (total === first) {
      start = at;
      end = at;
    }
    const isNext = start !== -1 && total === shown + 1 && total <= last && !cutInside;
    if (isNext && next - start <= mostChars) {
      end = next;
      shown = total;
    } else if (isNext && total === first) {
      end = start + mostChars;
      shown = total;
      cutInside = true;
    }
    at = next;
  }
  if (mostChars <= 0) return { text: "", lines: `none of ${total}: too much at once, read it by itself` };
  if (start === -1) return { text: "", lines: `none: there are ${total}` };
  const whole = start === 0 && end === text.length;
  const note = cutInside ? `, line ${first} only in part (${mostChars} characters)` : "";
  return { text: text.slice(start, end).toWellFormed(), lines: whole ? null : `${first}-${shown} of ${total}${note}` };
}

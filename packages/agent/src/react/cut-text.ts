/**
 * Cuts a text for a read: to the requested lines, or to as many whole lines from the beginning as fit. A very long line
 * counts as several lines, as in the note below a clipped block.
 */
import { LineWalk, MAX_LINE_CHARS } from "@cairn/timeline";

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
  const cut = new LineCut(range, mostChars);
  cut.add(text);
  return cut.end();
}

/** Cuts a text that arrives in pieces. It keeps the requested lines only. */
export class LineCut {
  readonly #from: number;
  readonly #last: number;
  readonly #mostChars: number;
  /** The last lines so far, which the next piece may continue. */
  #rest = "";
  #text = "";
  #length = 0;
  #count = 0;
  #shown: number;
  #isFull = false;

  constructor(range: LineRange | undefined, mostChars: number) {
    this.#from = range?.from ?? 1;
    this.#last = range?.to ?? Number.POSITIVE_INFINITY;
    this.#mostChars = mostChars;
    this.#shown = this.#from - 1;
  }

  add(piece: string): void {
    this.#length += piece.length;
    // The end of a line is known only when more characters follow than the longest line may have.
    this.#walk(this.#rest + piece, MAX_LINE_CHARS + 1);
  }

  end(): CutText {
    this.#walk(this.#rest, 0);
    const [from, of, last, shown] = [this.#from, this.#count, this.#last, this.#shown];
    if (of < from) return { text: "", place: null, lines: `none: there are ${of}` };
    if (last < from) return { text: "", place: null, lines: `none of ${of}: line ${last} comes before line ${from}` };
    if (shown < from) return { text: "", place: null, lines: `none of ${of}: too much at once, read it by itself` };
    const text = ownCopy(this.#text);
    if (text.length === this.#length) return { text, place: null, lines: null };
    return { text, place: { from, of }, lines: `${from}-${shown} of ${of}` };
  }

  /** Counts the lines of a text and keeps the requested ones, except a last line that may continue. */
  #walk(text: string, unknown: number): void {
    const walk = new LineWalk(text);
    let start = 0;
    let end = 0;
    while (text.length - walk.at > unknown) {
      const at = walk.at;
      walk.next();
      this.#count++;
      if (this.#isFull || this.#count < this.#from || this.#count > this.#last) continue;
      if (end === 0) start = at;
      this.#isFull = this.#text.length + walk.at - start > this.#mostChars;
      if (this.#isFull) continue;
      end = walk.at;
      this.#shown = this.#count;
    }
    this.#text += text.slice(start, end);
    this.#rest = text.slice(walk.at);
  }
}

/**
 * A slice of a string keeps the whole string in memory, so the text is copied. Otherwise a stored block would keep a
 * file of many megabytes in memory.
 */
function ownCopy(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

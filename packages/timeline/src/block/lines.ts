/**
 * Lines: the unit in which parts of a long text are shown and read.
 *
 * A line ends after `\n`, or after `MAX_LINE_CHARS` characters when no line break comes before: so line ranges reach
 * every part of a text, even of a file that is one enormous line. A line never ends inside a surrogate pair. The last
 * line need not end with a line break. An empty text has no lines.
 */
export const MAX_LINE_CHARS = 2_000;

/** Walks a text line by line, in linear time. */
export class LineWalk {
  readonly #text: string;
  /** Index at which the next line starts. */
  at = 0;
  count = 0;
  /** Index of the first line break at or after `at`; the length of the text when there is none. */
  #newline = -1;

  constructor(text: string) {
    this.#text = text;
  }

  get isDone(): boolean {
    return this.at >= this.#text.length;
  }

  next(): void {
    if (this.isDone) return;
    this.at = this.#end();
    this.count++;
  }

  /** Passes lines until `count` of them were passed, or the text ends. */
  skipTo(count: number): void {
    while (this.count < count && !this.isDone) this.next();
  }

  #end(): number {
    const text = this.#text;
    if (this.#newline < this.at) {
      const found = text.indexOf("\n", this.at);
      this.#newline = found === -1 ? text.length : found;
    }
    const most = this.at + MAX_LINE_CHARS;
    if (this.#newline <= most) return Math.min(this.#newline + 1, text.length);
    const next = text.charCodeAt(most);
    return next >= 0xdc00 && next <= 0xdfff ? most + 1 : most;
  }
}

export function countLines(text: string): number {
  const walk = new LineWalk(text);
  walk.skipTo(Number.POSITIVE_INFINITY);
  return walk.count;
}

export function firstLines(text: string, count: number): string {
  const walk = new LineWalk(text);
  walk.skipTo(count);
  return walk.isDone ? text : text.slice(0, walk.at);
}

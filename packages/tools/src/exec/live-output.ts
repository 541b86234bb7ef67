/**
 * The output of a running program, for people who watch it: its new lines, twice a second at most. If there are many
 * lines, only the last ones are sent; the report of the program has more. A line is sent only when it is complete.
 */
const EVERY_MS = 500;
const MAX_CHARS = 500;
/** As many characters as the report of a program has. */
const MAX_TAIL = 4_000;

export class LiveOutput implements Disposable {
  readonly #tell: (lines: string) => void;
  readonly #decoder = new TextDecoder();
  #waiting = "";
  #tail = "";
  #timer: NodeJS.Timeout | null = null;

  /** The end of the whole output, with the line that is not complete. */
  get tail(): string {
    return this.#tail.toWellFormed();
  }

  constructor(tell: (lines: string) => void) {
    this.#tell = tell;
  }

  push(chunk: Uint8Array): void {
    const added = this.#decoder.decode(chunk, { stream: true });
    this.#tail = (this.#tail + added).slice(-MAX_TAIL);
    const text = this.#waiting + added;
    // Only the end of the output is kept, because no more can be shown, however much the program prints.
    const end = lastLineEnd(text);
    this.#waiting = text.slice(Math.max(0, end - MAX_CHARS)).slice(-2 * MAX_CHARS);
    if (end > 0) this.#timer ??= setTimeout(() => this.#flush(), EVERY_MS);
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #flush(): void {
    this.#timer = null;
    const end = lastLineEnd(this.#waiting);
    const lines = this.#waiting.slice(Math.max(0, end - MAX_CHARS), end).toWellFormed();
    this.#waiting = this.#waiting.slice(end);
    const told = lines
      .replace(/\r\n?/g, "\n")
      .replace(/\n{2,}/g, "\n")
      .trim();
    if (told !== "") this.#tell(told);
  }
}

function lastLineEnd(text: string): number {
  return Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
}

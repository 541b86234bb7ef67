/**
 * Counts what JSON text holds before it is parsed: a few megabytes of `[],[],…` make millions of values, which take a
 * hundred times the memory of the text. It takes the text as UTF-8 in chunks of any size, in time linear in its length,
 * and stops the caller as soon as a limit is passed.
 *
 * Text that is not JSON is counted somehow; the parser refuses it later.
 */
import { CairnError } from "./error.ts";

export interface JsonLimits {
  /** Values: each opening bracket and each comma outside strings counts as one. */
  readonly values: number;
  /** Brackets inside each other. */
  readonly depth: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

export class JsonCounter {
  readonly #limits: JsonLimits;
  #values = 0;
  #depth = 0;
  #inString = false;
  /** The chunk before ended with a backslash that escapes the first byte of the next. */
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Throws `too_large`. */
  add(chunk: Uint8Array): void {
    let at = this.#isEscaped ? 1 : 0;
    if (chunk.length > 0) this.#isEscaped = false;
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#skipString(chunk, at);
        continue;
      }
      const byte = chunk[at++];
      if (byte === QUOTE) this.#inString = true;
      else if (byte === COMMA) this.#values++;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        this.#values++;
        if (++this.#depth > this.#limits.depth)
          throw tooLarge(`The JSON is nested more than ${this.#limits.depth} levels deep.`);
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--;
      if (this.#values > this.#limits.values) throw tooLarge(`The JSON holds more than ${this.#limits.values} values.`);
    }
  }

  /** For the next text. */
  reset(): void {
    this.#values = 0;
    this.#depth = 0;
    this.#inString = false;
    this.#isEscaped = false;
  }

  /** Where the string goes on that `at` is in, or the byte behind it. */
  #skipString(chunk: Uint8Array, at: number): number {
    for (let from = at; ; ) {
      const quote = chunk.indexOf(QUOTE, from);
      const end = quote < 0 ? chunk.length : quote;
      let before = end;
      while (before > from && chunk[before - 1] === BACKSLASH) before--;
      const isEscaped = (end - before) % 2 === 1;
      if (quote < 0) {
        this.#isEscaped = isEscaped;
        return chunk.length;
      }
      if (!isEscaped) {
        this.#inString = false;
        return quote + 1;
      }
      from = quote + 1;
    }
  }
}

function tooLarge(problem: string): CairnError {
  return new CairnError("too_large", `${problem} Send less at a time.`);
}

/**
 * Counts the values of a JSON text before it is parsed: a few megabytes of `[],[],…` become millions of values, which
 * take a hundred times the memory of the text. The counter reads UTF-8 in chunks of any size, in linear time, and
 * throws as soon as a limit is exceeded.
 *
 * For text that is not JSON the count is meaningless; the parser rejects it later.
 */
import { CairnError } from "./error.ts";

export interface JsonLimits {
  /** Maximum number of values: each opening bracket and each comma outside strings counts as one. */
  readonly values: number;
  /** Maximum nesting depth of brackets. */
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
  /** The previous chunk ended with a backslash that escapes the first byte of the next. */
  #isEscaped = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Adds a chunk. Throws `too_large` when a limit is exceeded. */
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

  reset(): void {
    this.#values = 0;
    this.#depth = 0;
    this.#inString = false;
    this.#isEscaped = false;
  }

  /** Index just after the string that contains `at`, or the end of the chunk. */
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

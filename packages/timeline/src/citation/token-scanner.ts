/**
 * The citation token, read one character at a time:
 *
 *   `[[` ws `S` ws `:` ws item (ws `,` ws item)* ws `]]`
 *
 * item = 1 to 9 digits, or two such joined by `-` or `–` with nothing between; ws = spaces or tabs; `S` in either case;
 * each of `［ ］ ：` may stand for `[ ] :`. A token has at most 16,384 characters and 1,000 ids. Ids are counted as
 * written, repeats included; a range counts its size and is not expanded. A reversed range is read ascending.
 *
 * The scanner keeps its state between chunks, so every split of a text gives the same tokens, and every character is
 * read once. No character is read again after a candidate fails: after its `[[` a candidate contains only `S : , - –
 * ]`, digits and ws. So the next candidate can start only at the character that failed. The only exception is `[[[`,
 * where it starts one character after the failed start, with two characters that were already read.
 *
 * A candidate is dropped as soon as no continuation can make it a token within the limits on length and ids.
 */

export const MAX_TOKEN_CHARS = 16_384;
export const MAX_TOKEN_IDS = 1_000;
const MAX_ID_DIGITS = 9;

/** A range of source ids, both ends included; `lo <= hi`. */
export interface IdRange {
  readonly lo: number;
  readonly hi: number;
}

/** Offsets count UTF-16 units from the start of everything scanned so far. */
export type OnToken = (start: number, end: number, ranges: readonly IdRange[]) => void;

// What the candidate read last. Only the difference between these numbers matters, not their values.
const IDLE = 0;
const HALF_OPEN = 1;
const OPEN = 2;
const BEFORE_S = 3;
const AFTER_S = 4;
const BEFORE_ITEM = 5;
const FIRST = 6;
const AFTER_DASH = 7;
const LAST = 8;
const AFTER_ITEM = 9;
const HALF_CLOSED = 10;
const CLOSED = 11;

/** Minimum number of characters that can still complete the token, by state. */
const MIN_REST_LENGTH = [0, 6, 5, 5, 4, 3, 2, 3, 2, 2, 1, 0] as const;

const OPENING = /[[［]/g;

export class TokenScanner {
  #state = IDLE;
  /** Index at which the possible token starts. The index is not used while no token is being read. */
  #start = 0;
  /** Number of characters that were scanned in earlier chunks. */
  #offset = 0;
  #ranges: IdRange[] = [];
  #ids = 0;
  #first = 0;
  #value = 0;
  #digits = 0;

  /** How many of the last characters scanned may still become a token. */
  get held(): number {
    return this.#state === IDLE ? 0 : this.#offset - this.#start;
  }

  scan(chunk: string, onToken: OnToken): void {
    const base = this.#offset;
    const length = chunk.length;
    let at = 0;
    while (at < length) {
      if (this.#state === IDLE) {
        OPENING.lastIndex = at;
        if (!OPENING.test(chunk)) break;
        at = OPENING.lastIndex;
        this.#start = base + at - 1;
        this.#state = HALF_OPEN;
        continue;
      }
      const position = base + at;
      this.#state = this.#step(chunk.charCodeAt(at), position);
      at++;
      if (this.#state === CLOSED) {
        this.#state = IDLE;
        onToken(this.#start, position + 1, this.#ranges);
      }
    }
    this.#offset = base + length;
  }

  #step(code: number, position: number): number {
    const next = this.#follow(code);
    if (next === IDLE) {
      if (!isOpening(code)) return IDLE;
      this.#start = position;
      return HALF_OPEN;
    }
    const room = MAX_TOKEN_CHARS - (position + 1 - this.#start);
    if (room < (MIN_REST_LENGTH[next] ?? 0)) return IDLE;
    if ((next === AFTER_DASH || next === LAST) && !this.#rangeCanFit(next === LAST ? 0 : 1, room - 2)) return IDLE;
    return next;
  }

  /** The state after `code`, or IDLE when the grammar does not allow it there. */
  #follow(code: number): number {
    switch (this.#state) {
      case HALF_OPEN:
        return isOpening(code) ? OPEN : IDLE;
      case OPEN:
        if (isOpening(code)) {
          this.#start++;
          return OPEN;
        }
        return isSpace(code) ? BEFORE_S : isLetterS(code) ? AFTER_S : IDLE;
      case BEFORE_S:
        return isSpace(code) ? BEFORE_S : isLetterS(code) ? AFTER_S : IDLE;
      case AFTER_S:
        if (isSpace(code)) return AFTER_S;
        if (!isColon(code)) return IDLE;
        this.#ranges = [];
        this.#ids = 0;
        return BEFORE_ITEM;
      case BEFORE_ITEM:
        return isSpace(code) ? BEFORE_ITEM : isDigit(code) ? this.#startNumber(code, FIRST) : IDLE;
      case FIRST:
        if (isDigit(code)) return this.#extendNumber(code, FIRST);
        this.#first = this.#value;
        if (isDash(code)) {
          this.#value = 0;
          this.#digits = 0;
          return AFTER_DASH;
        }
        return this.#endItem(code);
      case AFTER_DASH:
        return isDigit(code) ? this.#startNumber(code, LAST) : IDLE;
      case LAST:
        return isDigit(code) ? this.#extendNumber(code, LAST) : this.#endItem(code);
      case AFTER_ITEM:
        return this.#afterItem(code);
      case HALF_CLOSED:
        return isClosing(code) ? CLOSED : IDLE;
      default:
        return IDLE;
    }
  }

  #startNumber(code: number, state: number): number {
    this.#value = code - 0x30;
    this.#digits = 1;
    return state;
  }

  #extendNumber(code: number, state: number): number {
    if (this.#digits === MAX_ID_DIGITS) return IDLE;
    this.#value = this.#value * 10 + code - 0x30;
    this.#digits++;
    return state;
  }

  #endItem(code: number): number {
    const lo = Math.min(this.#first, this.#value);
    const hi = Math.max(this.#first, this.#value);
    this.#ids += hi - lo + 1;
    if (this.#ids > MAX_TOKEN_IDS) return IDLE;
    this.#ranges.push({ lo, hi });
    return this.#afterItem(code);
  }

  #afterItem(code: number): number {
    if (isSpace(code)) return AFTER_ITEM;
    if (isClosing(code)) return HALF_CLOSED;
    return code === 0x2c && this.#ids < MAX_TOKEN_IDS ? BEFORE_ITEM : IDLE;
  }

  /**
   * Whether some way to write on the range's second number keeps the token within the limit on ids. With `more` further
   * digits the number lies in `[value * 10^more, value * 10^more + 10^more - 1]`; the value there nearest to the first
   * number makes the smallest range.
   */
  #rangeCanFit(fewest: number, roomForDigits: number): boolean {
    const most = Math.min(MAX_ID_DIGITS - this.#digits, roomForDigits);
    for (let more = fewest; more <= most; more++) {
      const scale = 10 ** more;
      const lowest = this.#value * scale;
      const nearest = Math.min(Math.max(this.#first, lowest), lowest + scale - 1);
      if (this.#ids + Math.abs(nearest - this.#first) + 1 <= MAX_TOKEN_IDS) return true;
    }
    return false;
  }
}

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0xff3b;
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0xff3d;
}

function isColon(code: number): boolean {
  return code === 0x3a || code === 0xff1a;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function isLetterS(code: number): boolean {
  return code === 0x53 || code === 0x73;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isDash(code: number): boolean {
  return code === 0x2d || code === 0x2013;
}

/**
 * The tokens of `o200k_base` and their ranks, ready to be looked up without an object for each of 200,000 tokens.
 *
 * `o200k.json` holds one base64 text: one byte for the length of each token, in the order of the ranks, then the bytes of
 * all tokens in the same order. Reading it fills an open hash table in typed arrays, which takes some milliseconds.
 */
const TOKENS = 199_998;
/** At most 38 % of the slots are taken, so a search ends after one or two steps. */
const SLOTS = 1 << 19;

export class TokenTable {
  readonly #bytes: Uint8Array;
  /** Where each token begins in `#bytes`, and at last where all end. */
  readonly #starts = new Uint32Array(TOKENS + 1);
  /** A rank plus one; 0 is an empty slot. */
  readonly #slots = new Int32Array(SLOTS);

  constructor(base64: string) {
    const bytes = decodeBase64(base64);
    const starts = this.#starts;
    const slots = this.#slots;
    let end = TOKENS;
    for (let rank = 0; rank < TOKENS; rank++) {
      const start = end;
      starts[rank] = start;
      end += bytes[rank] ?? 0;
      let slot = hash(bytes, start, end);
      while (slots[slot] !== 0) slot = (slot + 1) % SLOTS;
      slots[slot] = rank + 1;
    }
    starts[TOKENS] = end;
    this.#bytes = bytes;
  }

  /** The rank of the token with exactly these bytes; -1 if there is none. */
  rankOf(text: Uint8Array, from: number, to: number): number {
    const slots = this.#slots;
    for (let slot = hash(text, from, to); ; slot = (slot + 1) % SLOTS) {
      const rank = (slots[slot] ?? 0) - 1;
      if (rank === -1 || this.#isToken(rank, text, from, to)) return rank;
    }
  }

  #isToken(rank: number, text: Uint8Array, from: number, to: number): boolean {
    const start = this.#starts[rank] ?? 0;
    if ((this.#starts[rank + 1] ?? 0) - start !== to - from) return false;
    for (let at = from; at < to; at++) if (this.#bytes[start + at - from] !== text[at]) return false;
    return true;
  }
}

/** FNV-1a, folded to the number of slots. */
function hash(bytes: Uint8Array, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let at = from; at < to; at++) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  return (value ^ (value >>> 19)) & (SLOTS - 1);
}

function decodeBase64(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

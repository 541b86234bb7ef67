/**
 * The tokens of `o200k_base` and their ranks. Nothing is built when the table is loaded except the place of each bucket,
 * because every process loads it before its first request.
 *
 * `o200k.json` holds one base64 text. The tokens are sorted by bucket, which is a hash of their bytes. The text contains,
 * one after the other:
 *
 * - for each bucket, how many tokens it has (one byte), and how many bytes these have together (two bytes);
 * - for each token, its length (one byte), and its rank (three bytes);
 * - the bytes of all tokens.
 *
 * Numbers of several bytes begin with the lowest byte.
 */
const TOKENS = 199_998;
/** A bucket has three tokens on average. */
export const BUCKETS = 1 << 16;
const SIZES = BUCKETS;
const LENGTHS = SIZES + 2 * BUCKETS;
const RANKS = LENGTHS + TOKENS;
const BYTES = RANKS + 3 * TOKENS;

export class TokenTable {
  readonly #data: Uint8Array;
  /** The number of the first token of each bucket, and at last the number of all tokens. */
  readonly #firsts = new Uint32Array(BUCKETS + 1);
  /** Where the bytes of each bucket begin. */
  readonly #starts = new Uint32Array(BUCKETS);

  constructor(base64: string) {
    const data = decodeBase64(base64);
    let first = 0;
    let start = BYTES;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      this.#firsts[bucket] = first;
      this.#starts[bucket] = start;
      first += data[bucket] ?? 0;
      const size = SIZES + 2 * bucket;
      start += (data[size] ?? 0) + (data[size + 1] ?? 0) * 0x100;
    }
    this.#firsts[BUCKETS] = first;
    this.#data = data;
  }

  /** The rank of the token with exactly these bytes; -1 if there is none. */
  rankOf(text: Uint8Array, from: number, to: number): number {
    const data = this.#data;
    const bucket = bucketOf(text, from, to);
    const end = this.#firsts[bucket + 1] ?? 0;
    let start = this.#starts[bucket] ?? 0;
    for (let token = this.#firsts[bucket] ?? 0; token < end; token++) {
      const length = data[LENGTHS + token] ?? 0;
      if (length === to - from && isAt(data, start, text, from, to)) return rankAt(data, RANKS + 3 * token);
      start += length;
    }
    return -1;
  }
}

function isAt(data: Uint8Array, start: number, text: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (data[start + at - from] !== text[at]) return false;
  return true;
}

function rankAt(data: Uint8Array, at: number): number {
  return (data[at] ?? 0) + (data[at + 1] ?? 0) * 0x100 + (data[at + 2] ?? 0) * 0x10000;
}

/** FNV-1a, folded to the number of buckets. */
export function bucketOf(bytes: Uint8Array, from: number, to: number): number {
  let value = 0x811c9dc5;
  for (let at = from; at < to; at++) value = Math.imul(value ^ (bytes[at] ?? 0), 0x01000193);
  return (value ^ (value >>> 16)) & (BUCKETS - 1);
}

/** `Buffer` decodes ten times as fast as the loop. Browsers do not have it. */
function decodeBase64(base64: string): Uint8Array {
  const { Buffer } = globalThis as { Buffer?: { from(text: string, encoding: "base64"): Uint8Array } };
  if (Buffer !== undefined) return Buffer.from(base64, "base64");
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

/**
 * The tokens of `o200k_base` and their ranks. Nothing is built when the table is loaded, because every process loads it
 * before its first request.
 *
 * `o200k.json` holds one base64 text. The tokens are sorted by bucket, which is a hash of their bytes. The text contains,
 * one after the other:
 *
 * - for each bucket, the position at which its tokens begin; the next number is the position at which they end;
 * - for each token, its length (one byte), its rank, and its bytes.
 *
 * Positions and ranks have three bytes, of which the first is the lowest.
 */

/** A bucket has three tokens on average. */
export const BUCKETS = 1 << 16;
/** Bytes of a position, and of a rank. */
export const NUMBER_BYTES = 3;

export class TokenTable {
  readonly #data: Uint8Array;

  constructor(base64: string) {
    this.#data = decodeBase64(base64);
  }

  /** The rank of the token with exactly these bytes; -1 if there is none. */
  rankOf(text: Uint8Array, from: number, to: number): number {
    const data = this.#data;
    const length = to - from;
    const place = NUMBER_BYTES * bucketOf(text, from, to);
    const end = numberAt(data, place + NUMBER_BYTES);
    for (let at = numberAt(data, place); at < end; ) {
      const start = at + 1 + NUMBER_BYTES;
      const size = data[at] ?? 0;
      if (size === length && isAt(data, start, text, from, to)) return numberAt(data, at + 1);
      at = start + size;
    }
    return -1;
  }
}

function isAt(data: Uint8Array, start: number, text: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (data[start + at - from] !== text[at]) return false;
  return true;
}

function numberAt(data: Uint8Array, at: number): number {
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

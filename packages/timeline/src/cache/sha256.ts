/**
 * SHA-256 (FIPS 180-4), synchronous and without any platform API: rendering and receipts are synchronous, and the
 * digest that browsers offer is not.
 *
 * One instance hashes one message after another. Bytes are gathered in a buffer of whole blocks, so that each block is
 * compressed where it lies and the text is never held as bytes at once.
 */
const BLOCK_BYTES = 64;
const BUFFER_BYTES = 512 * BLOCK_BYTES;
/** Space for a character that started in the last block, and for the padding after an almost full buffer. */
const SLACK_BYTES = BLOCK_BYTES;

/** The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
const INITIAL = Int32Array.of(
  0x6a09e667,
  0xbb67ae85,
  0x3c6ef372,
  0xa54ff53a,
  0x510e527f,
  0x9b05688c,
  0x1f83d9ab,
  0x5be0cd19,
);

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
// biome-ignore format: a table
const ROUND_CONSTANTS = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

export class Sha256 {
  readonly #state = new Int32Array(8);
  readonly #schedule = new Int32Array(64);
  readonly #buffer = new Uint8Array(BUFFER_BYTES + SLACK_BYTES);
  /** Number of bytes in the buffer. */
  #waiting = 0;
  /** Bytes compressed so far. */
  #compressed = 0;

  start(): void {
    this.#state.set(INITIAL);
    this.#waiting = 0;
    this.#compressed = 0;
  }

  /** Adds the UTF-8 bytes of a text. A lone surrogate becomes U+FFFD, as with `TextEncoder`. */
  addText(text: string): void {
    const buffer = this.#buffer;
    let at = this.#waiting;
    for (let i = 0; i < text.length; i++) {
      let code = text.charCodeAt(i);
      if (code < 0x80) buffer[at++] = code;
      else if (code < 0x800) {
        buffer[at++] = 0xc0 | (code >> 6);
        buffer[at++] = 0x80 | (code & 0x3f);
      } else {
        if ((code & 0xf800) === 0xd800) {
          const next = i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
          if (code < 0xdc00 && (next & 0xfc00) === 0xdc00) {
            i++;
            code = 0x10000 + ((code & 0x3ff) << 10) + (next & 0x3ff);
          } else code = 0xfffd;
        }
        if (code < 0x10000) buffer[at++] = 0xe0 | (code >> 12);
        else {
          buffer[at++] = 0xf0 | (code >> 18);
          buffer[at++] = 0x80 | ((code >> 12) & 0x3f);
        }
        buffer[at++] = 0x80 | ((code >> 6) & 0x3f);
        buffer[at++] = 0x80 | (code & 0x3f);
      }
      if (at >= BUFFER_BYTES) {
        this.#compressBlocks(BUFFER_BYTES);
        buffer.copyWithin(0, BUFFER_BYTES, at);
        at -= BUFFER_BYTES;
      }
    }
    this.#waiting = at;
  }

  /** Adds bytes given as a string of char codes 0 to 255, which is what base64 decodes to. */
  addByteString(bytes: string): void {
    let at = this.#waiting;
    for (let i = 0; i < bytes.length; i++) {
      this.#buffer[at++] = bytes.charCodeAt(i);
      if (at === BUFFER_BYTES) {
        this.#compressBlocks(BUFFER_BYTES);
        at = 0;
      }
    }
    this.#waiting = at;
  }

  /** The digest in lower-case hexadecimal. */
  finish(): string {
    const buffer = this.#buffer;
    const bytes = this.#compressed + this.#waiting;
    const end = Math.ceil((this.#waiting + 9) / BLOCK_BYTES) * BLOCK_BYTES;
    buffer.fill(0, this.#waiting, end);
    buffer[this.#waiting] = 0x80;
    putWord(buffer, end - 8, Math.floor(bytes / 0x2000_0000));
    putWord(buffer, end - 4, bytes << 3);
    this.#compressBlocks(end);
    let digest = "";
    for (const word of this.#state) digest += (word >>> 0).toString(16).padStart(8, "0");
    return digest;
  }

  #compressBlocks(end: number): void {
    for (let at = 0; at < end; at += BLOCK_BYTES) this.#compress(at);
    this.#compressed += end;
  }

  #compress(start: number): void {
    const w = this.#schedule;
    const b = this.#buffer;
    for (let i = 0, at = start; i < 16; i++, at += 4)
      w[i] = (byteAt(b, at) << 24) | (byteAt(b, at + 1) << 16) | (byteAt(b, at + 2) << 8) | byteAt(b, at + 3);
    for (let i = 16; i < 64; i++) {
      const x = wordAt(w, i - 15);
      const y = wordAt(w, i - 2);
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (wordAt(w, i - 16) + s0 + wordAt(w, i - 7) + s1) | 0;
    }
    const state = this.#state;
    let a = wordAt(state, 0);
    let b1 = wordAt(state, 1);
    let c = wordAt(state, 2);
    let d = wordAt(state, 3);
    let e = wordAt(state, 4);
    let f = wordAt(state, 5);
    let g = wordAt(state, 6);
    let h = wordAt(state, 7);
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + (g ^ (e & (f ^ g))) + wordAt(ROUND_CONSTANTS, i) + wordAt(w, i)) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b1) | (c & (a | b1)))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b1;
      b1 = a;
      a = (t1 + t2) | 0;
    }
    state[0] = wordAt(state, 0) + a;
    state[1] = wordAt(state, 1) + b1;
    state[2] = wordAt(state, 2) + c;
    state[3] = wordAt(state, 3) + d;
    state[4] = wordAt(state, 4) + e;
    state[5] = wordAt(state, 5) + f;
    state[6] = wordAt(state, 6) + g;
    state[7] = wordAt(state, 7) + h;
  }
}

/**
 * The word at an index that is always in range. Kept separate from `byteAt`, because mixed array types would slow both
 * down.
 */
function wordAt(words: Int32Array, index: number): number {
  return words[index] as number;
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}

function putWord(buffer: Uint8Array, at: number, word: number): void {
  buffer[at] = word >>> 24;
  buffer[at + 1] = word >>> 16;
  buffer[at + 2] = word >>> 8;
  buffer[at + 3] = word;
}

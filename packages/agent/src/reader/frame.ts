/** Messages between a server and its reader processes, called frames: two lengths, a JSON text and bytes. */
const HEAD_BYTES = 8;

export interface Frame {
  readonly json: unknown;
  readonly bytes: Uint8Array;
}

export function frameHead(json: unknown, byteCount: number): Buffer {
  const text = Buffer.from(JSON.stringify(json));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(text.length, 0);
  head.writeUInt32LE(byteCount, 4);
  return Buffer.concat([head, text]);
}

/** Collects chunks until a frame is complete. Throws `RangeError` for a frame over the limit before it is collected. */
export class FrameReader {
  readonly #maxBytes: number;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #wanted = HEAD_BYTES;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *push(chunk: Uint8Array): Generator<Frame> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#wanted) {
      const whole = Buffer.concat(this.#chunks);
      this.#chunks = [whole];
      const jsonEnd = HEAD_BYTES + whole.readUInt32LE(0);
      const end = jsonEnd + whole.readUInt32LE(4);
      if (end > this.#maxBytes) throw new RangeError(`A message of ${end} bytes exceeds the limit.`);
      this.#wanted = end;
      if (whole.length < end) return;
      const rest = whole.subarray(end);
      this.#chunks = [rest];
      this.#size = rest.length;
      this.#wanted = HEAD_BYTES;
      yield {
        json: JSON.parse(whole.toString("utf8", HEAD_BYTES, jsonEnd)),
        bytes: plainBytes(whole.subarray(jsonEnd, end)),
      };
    }
  }
}

/** Some libraries accept only a `Uint8Array` and reject a `Buffer`. */
function plainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

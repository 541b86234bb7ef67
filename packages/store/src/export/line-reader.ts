/** Reads an export file line by line from chunks of any size, and hashes every byte before the line being read. */
import { createHash } from "node:crypto";
import { CairnError, JsonCounter } from "@cairn/timeline";
import type { ByteSource } from "../contract/blob-store.ts";
import { storeError } from "../contract/errors.ts";
import { badFile, type Fields } from "./format.ts";

const NEWLINE = 10;

/** Maximum size of a line. A line contains one event: at most a page of sources with their full text. */
const MAX_LINE_BYTES = 64_000_000;
/** Maximum values of an event, far more than an event has. A hostile line is rejected before it is complete. */
const LINE_LIMITS = { values: 500_000, depth: 1_000 };

export class LineReader {
  readonly #chunks: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  readonly #hash = createHash("sha256");
  readonly #counter = new JsonCounter(LINE_LIMITS);
  readonly #maxLineBytes: number;
  #rest: Uint8Array = new Uint8Array();
  #at = 0;
  #lines = 0;

  constructor(source: ByteSource, maxLineBytes = MAX_LINE_BYTES) {
    this.#maxLineBytes = maxLineBytes;
    this.#chunks = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  }

  /** The hash of all lines read so far. */
  digest(): string {
    return this.#hash.copy().digest("hex");
  }

  /** The next line as an object. Throws `corrupt` at the end of the file and for anything but an object. */
  async next(): Promise<Fields> {
    const bytes = await this.#nextLine();
    if (bytes === null) throw badFile("it ends too early");
    const value = this.#parse(bytes);
    this.#hash.update(bytes);
    this.#hash.update("\n");
    return value;
  }

  /** The closing line, which the hash does not cover. */
  async nextUnhashed(): Promise<Fields> {
    const bytes = await this.#nextLine();
    if (bytes === null) throw badFile("it ends too early");
    return this.#parse(bytes);
  }

  async isAtEnd(): Promise<boolean> {
    return (await this.#nextLine()) === null;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #parse(bytes: Uint8Array): Fields {
    this.#lines++;
    try {
      const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
    } catch {
      // The error that is thrown below names the line's number.
    }
    throw badFile(`line ${this.#lines} is not a JSON object`, { line: this.#lines });
  }

  #count(part: Uint8Array): void {
    try {
      this.#counter.add(part);
    } catch (error) {
      if (!CairnError.is(error)) throw error;
      const { values, depth } = LINE_LIMITS;
      throw this.#tooLarge(`has more than ${values} values or ${depth} levels`);
    }
  }

  /** The error for a line that is longer than this import allows. `cairn import` allows longer lines. */
  #tooLong(): CairnError {
    const [line, limit] = [this.#lines + 1, this.#maxLineBytes];
    const problem = `Line ${line} of the export file has more than ${limit} bytes.`;
    return storeError("too_large", `${problem} Import it with cairn import.`, { line, limit });
  }

  #tooLarge(problem: string): CairnError {
    const line = this.#lines + 1;
    return badFile(`line ${line} ${problem}`, { line });
  }

  async #nextLine(): Promise<Uint8Array | null> {
    const parts: Uint8Array[] = [];
    let length = 0;
    this.#counter.reset();
    for (;;) {
      const end = this.#rest.indexOf(NEWLINE, this.#at);
      const part = this.#rest.subarray(this.#at, end < 0 ? this.#rest.length : end);
      if (part.length > 0) parts.push(part);
      length += part.length;
      if (length > MAX_LINE_BYTES) throw this.#tooLarge(`has more than ${MAX_LINE_BYTES} bytes`);
      if (length > this.#maxLineBytes) throw this.#tooLong();
      this.#count(part);
      if (end >= 0) {
        this.#at = end + 1;
        return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
      }
      const chunk = await this.#chunks.next();
      if (chunk.done === true) {
        this.#rest = new Uint8Array();
        this.#at = 0;
        if (length > 0) throw badFile("its last line is cut short");
        return null;
      }
      this.#rest = chunk.value;
      this.#at = 0;
    }
  }
}

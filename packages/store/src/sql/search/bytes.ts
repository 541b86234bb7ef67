/** Encodes numbers and texts as bytes: small numbers take one byte, and a checksum precedes the whole. */
import { crc32 } from "node:zlib";
import { storeError } from "../../contract/errors.ts";

const CHECKSUM = 4;

export class ByteWriter {
  #buffer = Buffer.allocUnsafe(1_024);
  #length = CHECKSUM;

  get length(): number {
    return this.#length;
  }

  /** A whole number from 0 to 2^53 - 1, seven bits per byte. */
  number(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#buffer[this.#length++] = rest;
  }

  /** Writes a whole number, positive or negative. */
  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(text: string): void {
    const isAscii = isShortAscii(text);
    const bytes = isAscii ? text.length : Buffer.byteLength(text);
    this.number(bytes);
    this.#reserve(bytes);
    if (isAscii) for (let at = 0; at < text.length; at++) this.#buffer[this.#length++] = text.charCodeAt(at);
    else this.#length += this.#buffer.write(text, this.#length);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** The bytes without the checksum, for use inside another writer. */
  content(): Uint8Array {
    return this.#buffer.subarray(CHECKSUM, this.#length);
  }

  /** Starts again. Bytes that `content` returned before are overwritten. */
  clear(): void {
    this.#length = CHECKSUM;
  }

  finish(): Uint8Array {
    this.#buffer.writeUInt32LE(crc32(this.content()), 0);
    return Uint8Array.prototype.slice.call(this.#buffer, 0, this.#length);
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/** Most terms are short ASCII; they are written unit by unit, which is much faster. */
function isShortAscii(text: string): boolean {
  if (text.length > 32) return false;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false;
  return true;
}

export class ByteReader {
  readonly #buffer: Buffer;
  #at = CHECKSUM;

  /** Throws `corrupt` when the bytes do not match the checksum. */
  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (bytes.length < CHECKSUM || this.#buffer.readUInt32LE(0) !== crc32(this.#buffer.subarray(CHECKSUM)))
      throw storeError("corrupt", "A part of the search index is damaged. Run cairn doctor --repair.");
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#buffer.length;
  }

  number(): number {
    let byte = this.#buffer[this.#at++] ?? 0;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let factor = 0x80; byte >= 0x80; factor *= 0x80) {
      byte = this.#buffer[this.#at++] ?? 0;
      value += (byte & 0x7f) * factor;
    }
    return value;
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  text(): string {
    const bytes = this.number();
    this.#at += bytes;
    return this.#buffer.toString("utf8", this.#at - bytes, this.#at);
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }
}

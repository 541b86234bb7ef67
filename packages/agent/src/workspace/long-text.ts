/**
 * Decodes a long text in pieces, with other work of the process between them. Decoding 64 MB at once would block the
 * event loop for 100 to 300 ms, partly for garbage collection.
 */
import { isUtf8 } from "node:buffer";
import { setImmediate as yieldToOthers } from "node:timers/promises";

/** Shorter texts are decoded in one step. */
export const LONG_TEXT_BYTES = 2_000_000;
const PIECE_BYTES = 1_000_000;

type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

export class LongText {
  readonly #bytes: Uint8Array;
  readonly #encoding: Encoding;

  private constructor(bytes: Uint8Array, encoding: Encoding) {
    this.#bytes = bytes;
    this.#encoding = encoding;
  }

  /** Opens the text of a file; null when its bytes are not text, by the rules of `decodeText`. */
  static async open(bytes: Uint8Array): Promise<LongText | null> {
    const encoding = await encodingOf(bytes);
    return encoding === null ? null : new LongText(bytes, encoding);
  }

  pieces(): AsyncGenerator<string> {
    return decodeIn(this.#encoding, this.#bytes);
  }

  async isBlank(): Promise<boolean> {
    for await (const piece of this.pieces()) if (piece.trim() !== "") return false;
    return true;
  }
}

async function encodingOf(bytes: Uint8Array): Promise<Encoding | null> {
  const start = `${bytes[0]} ${bytes[1]}`;
  const utf16 = start === "255 254" ? "utf-16le" : start === "254 255" ? "utf-16be" : null;
  if (utf16 === null && bytes.includes(0)) return null;
  await yieldToOthers();
  if (utf16 === null ? isUtf8(bytes) : await isValid(utf16, bytes)) return utf16 ?? "utf-8";
  return (await isLegacy(bytes)) ? "windows-1252" : null;
}

async function isValid(encoding: Encoding, bytes: Uint8Array): Promise<boolean> {
  try {
    for await (const _ of decodeIn(encoding, bytes));
    return true;
  } catch {
    return false; // The decoder throws for bytes that are invalid in this encoding.
  }
}

/** Text in an encoding from before Unicode. It has no control characters and few letters outside ASCII. */
async function isLegacy(bytes: Uint8Array): Promise<boolean> {
  let high = 0;
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    for (const byte of bytes.subarray(at, at + PIECE_BYTES)) {
      if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return false;
      if (byte >= 127) high++;
    }
    await yieldToOthers();
  }
  return high * 4 <= bytes.length;
}

async function* decodeIn(encoding: Encoding, bytes: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === "utf-8" });
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const isLast = at + PIECE_BYTES >= bytes.length;
    yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: !isLast });
    await yieldToOthers();
  }
}

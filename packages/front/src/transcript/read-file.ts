/** Files in messages: base64, data URLs and links. A link is not followed; it stays in the text. */
import { nameOfMime, type TranscriptFile } from "@cairn/agent";
import { textOf } from "./fields.ts";
import type { TranscriptBuilder } from "./transcript-builder.ts";

/** The content of a message: its text, and its files in order. */
export class Content {
  readonly #builder: TranscriptBuilder;
  readonly #texts: string[] = [];
  readonly files: TranscriptFile[] = [];

  constructor(builder: TranscriptBuilder) {
    this.#builder = builder;
  }

  get text(): string {
    return this.#texts.join("\n\n");
  }

  addText(text: unknown): void {
    if (textOf(text) !== "") this.#texts.push(textOf(text).toWellFormed());
  }

  /** `source`: a data URL, a link, or base64 with its media type. */
  addFile(at: string, source: unknown, mime: unknown, name: unknown): void {
    const file = this.read(at, source, mime, name);
    if (file !== null) this.files.push(file);
  }

  /** Reads a file; null for a link, which becomes text, and for data that is not base64. */
  read(at: string, source: unknown, givenMime: unknown, name: unknown): TranscriptFile | null {
    const given = textOf(source);
    if (/^(?:https?|gs|s3|file|blob):/i.test(given)) {
      const message = "The file is a link and was not fetched. The link is in the text.";
      this.#builder.lose(at, "link", message);
      this.#texts.push(`[Attachment that was not imported: ${given.slice(0, 2_000).toWellFormed()}]`);
      return null;
    }
    const { mime = textOf(givenMime) || "application/octet-stream", bytes } = dataOf(given);
    if (bytes === null || bytes.length === 0) {
      this.#builder.lose(at, "bad_file", "The file has no content that can be read.");
      return null;
    }
    return { name: textOf(name) || nameOfMime(mime), mime, bytes };
  }
}

function dataOf(source: string): { readonly mime?: string; readonly bytes: Uint8Array | null } {
  const comma = source.indexOf(",");
  if (!/^data:/i.test(source) || comma < 0) return { bytes: bytesOf(source) };
  const [mime = "", ...parameters] = source.slice("data:".length, comma).split(";");
  const data = source.slice(comma + 1);
  const bytes = parameters.includes("base64") ? bytesOf(data) : percentDecoded(data);
  return { bytes, ...(mime === "" ? {} : { mime: mime.toLowerCase() }) };
}

function bytesOf(base64: string): Uint8Array | null {
  return /^[A-Za-z0-9+/_=\s-]+$/.test(base64) ? Buffer.from(base64, "base64") : null;
}

function percentDecoded(data: string): Uint8Array | null {
  try {
    return Buffer.from(decodeURIComponent(data));
  } catch {
    return null; // The text is not percent-encoded.
  }
}

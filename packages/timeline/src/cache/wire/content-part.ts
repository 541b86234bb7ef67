/**
 * Converts message blocks to content that providers accept.
 *
 * Providers refuse text without a visible character, lone surrogates and kinds of files they cannot read. Text without
 * visible characters is left out, lone surrogates are replaced, and unreadable files are described in words, always in
 * the same way, so that the bytes of a piece depend on nothing but its messages.
 */
import { CairnError } from "../../base/error.ts";
import type { BlobRef } from "../../block/blob.ts";
import type { BinaryMessage, MessageBlock } from "../../message/message.ts";
import type { ContentPart, WireInput } from "./wire-request.ts";

const IMAGES = new Map([
  ["image/png", "image/png"],
  ["image/jpeg", "image/jpeg"],
  ["image/jpg", "image/jpeg"],
  ["image/gif", "image/gif"],
  ["image/webp", "image/webp"],
]);

/** Joins texts into one part; null when none of it is visible. */
export function textPart(texts: readonly string[]): ContentPart | null {
  const text = texts.join("").toWellFormed();
  return /\S/.test(text) ? { type: "text", text } : null;
}

/** Converts messages one by one. Documents are numbered in the order they are converted. */
export class ContentReader {
  readonly #bytesOf: WireInput["bytesOf"];
  readonly #describes: NonNullable<WireInput["describes"]>;
  #documents = 0;

  constructor({ bytesOf, describes = [] }: WireInput) {
    this.#bytesOf = bytesOf;
    this.#describes = describes;
  }

  read(message: MessageBlock): ContentPart {
    return message.type === "text" ? { type: "text", text: message.text } : this.#binaryPart(message);
  }

  #binaryPart(message: BinaryMessage): ContentPart {
    const given = message.media_type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (this.#describes.includes(message.type))
      return {
        type: "text",
        text: `<${message.type} media_type=${given}: not shown, this model does not take it>\n\n`,
      };
    const media_type = message.type === "image" ? IMAGES.get(given) : "application/pdf";
    if (media_type === undefined)
      return { type: "text", text: `<image media_type=${given}: not a kind that can be shown>\n\n` };
    const data = message.data ?? this.#bytes(message.blob);
    return message.type === "image"
      ? { type: "image", media_type, data }
      : { type: "document", media_type, data, nth: ++this.#documents };
  }

  #bytes(blob: BlobRef | undefined): string {
    const data = blob === undefined ? undefined : this.#bytesOf?.(blob);
    if (data === undefined)
      throw new CairnError("bytes_missing", "A picture or document has no bytes. Pass `bytesOf` to fill them in.", {
        blob,
      });
    return data;
  }
}

/**
 * The bytes of a file as its blocks contain them. Null if they contain only a part: the beginning of a text, which the
 * size in the digest shows, or the text of a document.
 */
import { type Artifact, isJsonObject, type JsonObject } from "@cairn/timeline";

/** Whether a file of this type has other bytes than the text that was read from it. */
export function isDocumentMime(mime: string | null): boolean {
  return /^application\/(?:pdf|epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\.)/i.test(
    mime ?? "",
  );
}

export function wholeContent(
  artifact: Pick<Artifact, "text" | "base64" | "mime">,
  meta: JsonObject | undefined,
): Uint8Array | null {
  const { text, base64 } = artifact;
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  if (text === undefined || isDocumentMime(artifact.mime)) return null;
  const bytes = Buffer.from(text);
  const size = digestSize(meta);
  return size === null || size === bytes.length ? bytes : null;
}

/** The size of a file according to its digest; null if it has none. */
export function digestSize(meta: JsonObject | undefined): number | null {
  const digest = meta?.digest;
  const size = isJsonObject(digest) ? digest.size_bytes : undefined;
  return typeof size === "number" ? size : null;
}

/**
 * The type of a file: by its name when it is written, by its bytes when it is shown.
 *
 * Models get only valid pictures and documents, in formats (PNG, JPEG, GIF, WebP, PDF) and sizes that providers accept,
 * because one broken picture would make every later request fail.
 */
import { CairnError, countPdfPages, estimateBlock, imageSize, type Json } from "@cairn/timeline";
import { pdfPages } from "../reader/read-pdf.ts";

const MIME_OF_EXTENSION: ReadonlyMap<string, string> = new Map([
  ["md", "text/markdown"],
  ["markdown", "text/markdown"],
  ["txt", "text/plain"],
  ["log", "text/plain"],
  ["html", "text/html"],
  ["htm", "text/html"],
  ["css", "text/css"],
  ["csv", "text/csv"],
  ["tsv", "text/tab-separated-values"],
  ["xml", "text/xml"],
  ["json", "application/json"],
  ["jsonl", "application/x-ndjson"],
  ["yaml", "application/yaml"],
  ["yml", "application/yaml"],
  ["toml", "application/toml"],
  ["js", "text/javascript"],
  ["mjs", "text/javascript"],
  ["ts", "text/typescript"],
  ["tsx", "text/typescript"],
  ["py", "text/x-python"],
  ["sh", "text/x-sh"],
  ["sql", "text/x-sql"],
  ["diff", "text/x-diff"],
  ["patch", "text/x-diff"],
  ["tex", "text/x-tex"],
  ["svg", "image/svg+xml"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["pdf", "application/pdf"],
  ["zip", "application/zip"],
  ["docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  ["odt", "application/vnd.oasis.opendocument.text"],
  ["epub", "application/epub+zip"],
  ["xhtml", "text/html"],
]);

/** The media type of a name; `fallback` for a name without a known extension. */
export function mimeOfName(name: string, fallback = "text/plain"): string {
  const dot = name.lastIndexOf(".");
  const extension = dot > name.lastIndexOf("/") ? name.slice(dot + 1).toLowerCase() : "";
  return MIME_OF_EXTENSION.get(extension) ?? fallback;
}

/** A name for a file without one, by its media type. */
export function nameOfMime(mime: string): string {
  const [extension = "bin"] = [...MIME_OF_EXTENSION].find(([, known]) => known === mime) ?? [];
  return `file.${extension}`;
}

/** 5 MB as base64 for one file. A request has 32 MB, which leaves space for other content. */
const MAX_IMAGE_BYTES = 3_750_000;
const MAX_PDF_BYTES = 22_000_000;
/** Maximum bytes of a file that is shown to a model. */
export const MAX_SHOWN_BYTES = MAX_PDF_BYTES;

/** The media type with which a model can be shown these bytes; null when it cannot. */
function shownMime(bytes: Uint8Array): string | null {
  const mime = sniffMime(bytes);
  if (mime === null) return null;
  return bytes.length <= (mime === "application/pdf" ? MAX_PDF_BYTES : MAX_IMAGE_BYTES) ? mime : null;
}

/** The media type detected from the first bytes; null for types that models cannot see. */
export function sniffMime(bytes: Uint8Array): string | null {
  if (startsWith(bytes, "%PDF-")) return "application/pdf";
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (startsWith(bytes, "\xff\xd8\xff")) return "image/jpeg";
  if (startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a")) return "image/gif";
  return startsWith(bytes, "RIFF") && startsWith(bytes.subarray(8), "WEBP") ? "image/webp" : null;
}

export interface ShownBinary {
  readonly mime: string;
  /** Tokens that the file takes in a model's window. */
  readonly tokens: number;
  /** The pixels or pages of the file, if its bytes state them; a stored block needs them for its cost. */
  readonly meta: Readonly<Record<string, Json>>;
}

/** A picture or PDF that a model can be shown; else null. Throws `too_large` for a PDF over the reader's limits. */
export async function inspectBinary(bytes: Uint8Array, signal?: AbortSignal): Promise<ShownBinary | null> {
  const mime = shownMime(bytes);
  if (mime === null) return null;
  const meta = mime === "application/pdf" ? await pagesOf(bytes, signal) : pixelsOf(bytes);
  return { mime, tokens: estimateBlock({ type: "react.tool.result", mime, meta }, () => 0), meta };
}

/** Like `inspectBinary`, for a file that is stored in any case. Null for a PDF over the reader's limits. */
export async function inspectFile(bytes: Uint8Array, signal?: AbortSignal): Promise<ShownBinary | null> {
  try {
    return await inspectBinary(bytes, signal);
  } catch (error) {
    if (CairnError.is(error) && error.code === "too_large") return null;
    throw error;
  }
}

/** Finding a picture's size reads a limited number of headers, so it needs no reader process. */
export function pixelsOf(bytes: Uint8Array): { readonly width?: number; readonly height?: number } {
  const { width, height } = imageSize(base64Of(bytes)) ?? {};
  return width === undefined || height === undefined ? {} : { width, height };
}

/** Maximum size of a PDF that is searched here for uncompressed page counts; a reader handles other PDFs. */
const SCANNED_HERE = 1_000_000;

async function pagesOf(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<{ readonly pages?: number }> {
  const plain = bytes.length <= SCANNED_HERE ? countPdfPages(base64Of(bytes)) : null;
  const pages = plain ?? (await pdfPages(bytes, signal));
  return pages === null ? {} : { pages };
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** The text of a file, without the byte order mark of UTF-16; null when the bytes are not text. */
export function decodeText(bytes: Uint8Array): string | null {
  const encoding = startsWith(bytes, "\xff\xfe") ? "utf-16le" : startsWith(bytes, "\xfe\xff") ? "utf-16be" : "utf-8";
  if (encoding === "utf-8" && bytes.includes(0)) return null;
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === "utf-8" }).decode(bytes);
  } catch {
    return decodeLegacy(bytes); // The bytes are not valid in this encoding.
  }
}

/** Text from before Unicode: bytes without control characters are decoded as Windows-1252. Other bytes are binary. */
function decodeLegacy(bytes: Uint8Array): string | null {
  let high = 0;
  for (const byte of bytes) {
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return null;
    if (byte >= 127) high++;
  }
  return high * 4 > bytes.length ? null : new TextDecoder("windows-1252").decode(bytes);
}

function startsWith(bytes: Uint8Array, signature: string): boolean {
  if (bytes.length < signature.length) return false;
  for (let at = 0; at < signature.length; at++) if (bytes[at] !== signature.charCodeAt(at)) return false;
  return true;
}

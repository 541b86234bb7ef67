/** Reads the text of documents in reader processes. The texts are cached by the hash of the document's bytes. */
import { createHash } from "node:crypto";
import { CairnError } from "@cairn/timeline/error";
import type { DocumentFormat, DocumentText } from "./document/document.ts";
import { defineReader } from "./reader.ts";
import { sharedReaders } from "./reader-host.ts";

const documentReader = defineReader<{ readonly format: DocumentFormat }, DocumentText>(
  new URL("./document.reader.ts", import.meta.url),
);

export type DocumentReading =
  | { readonly text: string }
  | {
      /** The reason why there is no text, in sentences. */
      readonly unreadable: string;
      /** Whether the document can be opened. If it can, a model may look at its pages even without text. */
      readonly opens: boolean;
    };

/** Programs that read PDF accept the signature within this many bytes of the beginning. */
const PDF_START_BYTES = 1_024;
const PDF_START = /^[\s\xef\xbb\xbf]*%PDF-/;
const HTML_START = /^(?:\xef\xbb\xbf)?\s*(?:<!doctype\s+html|<html[\s>])/i;
const HTML_MIME = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;
const UNTOLD_MIME = /^(?:text\/plain|application\/octet-stream)\s*(?:;|$)/i;

/** The format by the first bytes; null if it is not a document. Only HTML may be recognised by its media type. */
export function documentFormat(bytes: Uint8Array, mime: string): DocumentFormat | "ole" | null {
  const length = Math.min(PDF_START_BYTES, bytes.length);
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString("latin1");
  if (PDF_START.test(start) || (mime === "application/pdf" && start.includes("%PDF-"))) return "pdf";
  if (/^PK(?:\x03\x04|\x05\x06)/.test(start)) return "zip";
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return "ole";
  return HTML_MIME.test(mime) || (UNTOLD_MIME.test(mime) && HTML_START.test(start)) ? "html" : null;
}

export async function readDocument(
  bytes: Uint8Array,
  format: DocumentFormat | "ole",
  signal?: AbortSignal,
): Promise<DocumentReading> {
  if (format === "ole")
    return {
      unreadable:
        "The file is encrypted, or an Office file of before 2007 (DOC, XLS, PPT). Save it without a password as DOCX, XLSX, PPTX or PDF.",
      opens: false,
    };
  if (format === "zip" && !hasDirectory(bytes))
    return { unreadable: "The file is damaged or was not sent completely: its end is missing.", opens: false };
  const key = `${format} ${createHash("sha256").update(bytes).digest("hex")}`;
  const before = kept.get(key);
  if (before !== undefined) return before;
  const reading = await readAnew(bytes, format, signal);
  keep(key, reading);
  return reading;
}

/** Maximum bytes of the comment after the directory of a ZIP archive, by the ZIP format. */
const DIRECTORY_BYTES = 70_000;

/** Whether the bytes end with the directory of a ZIP archive. Without it, the file is incomplete. */
function hasDirectory(bytes: Uint8Array): boolean {
  const end = bytes.subarray(Math.max(0, bytes.length - DIRECTORY_BYTES));
  return Buffer.from(end.buffer, end.byteOffset, end.byteLength).includes("PK\x05\x06", 0, "latin1");
}

async function readAnew(
  bytes: Uint8Array,
  format: DocumentFormat,
  signal: AbortSignal | undefined,
): Promise<DocumentReading> {
  try {
    const { text, problem } = await sharedReaders.read(documentReader, bytes, { format }, signal);
    return text === "" ? { unreadable: problem ?? "The file has no text.", opens: true } : { text };
  } catch (error) {
    if (!CairnError.is(error) || (error.code !== "unreadable" && error.code !== "too_large")) throw error;
    return { unreadable: error.message, opens: false };
  }
}

const MAX_KEPT = 64;
const MAX_KEPT_CHARS = 8_000_000;
const kept = new Map<string, DocumentReading>();

/** Texts that were used longest ago are removed first. */
function keep(key: string, reading: DocumentReading): void {
  kept.set(key, reading);
  let chars = [...kept.values()].reduce((sum, each) => sum + sizeOf(each), 0);
  for (const [oldest, each] of kept) {
    if (kept.size <= MAX_KEPT && chars <= MAX_KEPT_CHARS) break;
    kept.delete(oldest);
    chars -= sizeOf(each);
  }
}

function sizeOf(reading: DocumentReading): number {
  return "text" in reading ? reading.text.length : 0;
}

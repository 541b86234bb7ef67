/** PDFs, read in reader processes. */
import { CairnError } from "@cairn/timeline";
import type { PdfPages } from "./pdf-pages.reader.ts";
import type { PdfText } from "./pdf-text.reader.ts";
import { defineReader } from "./reader.ts";
import { sharedReaders } from "./reader-host.ts";

const pagesReader = defineReader<Record<string, never>, PdfPages>(new URL("./pdf-pages.reader.ts", import.meta.url));
const textReader = defineReader<Record<string, never>, PdfText>(new URL("./pdf-text.reader.ts", import.meta.url));

/** How many pages a PDF has; null when the file cannot be read. Throws `too_large`. */
export async function pdfPages(bytes: Uint8Array, signal?: AbortSignal): Promise<number | null> {
  const found = await unlessUnreadable(sharedReaders.read(pagesReader, bytes, {}, signal));
  return found?.pages ?? null; // The caller assumes one page.
}

/** The text of a PDF, page by page. Empty when there is none, or when the file cannot be read: a scan, a broken file. */
export async function pdfText(base64: string): Promise<string> {
  try {
    const found = await unlessUnreadable(sharedReaders.read(textReader, Buffer.from(base64, "base64"), {}));
    return found?.text ?? "";
  } catch (error) {
    if (CairnError.is(error) && error.code === "too_large") return ""; // The model says that it found nothing to read in it.
    throw error;
  }
}

async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (CairnError.is(error) && error.code === "unreadable") return null;
    throw error;
  }
}

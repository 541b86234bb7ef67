/** Counts the pages of a PDF in reader processes. */
import { CairnError } from "@cairn/timeline/error";
import type { PdfPages } from "./pdf-pages.reader.ts";
import { defineReader } from "./reader.ts";
import { sharedReaders } from "./reader-host.ts";

const pagesReader = defineReader<Record<string, never>, PdfPages>(new URL("./pdf-pages.reader.ts", import.meta.url));

/** The number of pages of a PDF; null when the file cannot be read. Throws `too_large`. */
export async function pdfPages(bytes: Uint8Array, signal?: AbortSignal): Promise<number | null> {
  try {
    const { pages } = await sharedReaders.read(pagesReader, bytes, {}, signal);
    return pages; // Without a result, the caller counts the PDF as one page.
  } catch (error) {
    if (CairnError.is(error) && error.code === "unreadable") return null;
    throw error;
  }
}

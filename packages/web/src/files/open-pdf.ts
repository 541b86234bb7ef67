/** Opens a PDF with pdf.js. The browser's viewer does not work in a sandbox. Loaded on demand. */
import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask, type PDFDocumentProxy } from "pdfjs-dist";
import workerAddress from "pdfjs-dist/build/pdf.worker.min.mjs?url";
import { PREFIX } from "../api/address.ts";
import { authHeaders } from "../api/token.ts";

GlobalWorkerOptions.workerSrc = workerAddress;

export const MAX_PAGES = 300;

export function openPdf(address: string): PDFDocumentLoadingTask {
  return getDocument({
    url: address,
    httpHeaders: authHeaders(),
    standardFontDataUrl: `${PREFIX}/pdf/standard_fonts/`,
    cMapUrl: `${PREFIX}/pdf/cmaps/`,
    // WebAssembly is off because of the content security policy, and forms of documents are off.
    useWasm: false,
    enableXfa: false,
  });
}

/** The words of a page, in the order of the document. */
export async function wordsOf(document: PDFDocumentProxy, number: number) {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  return { page, words: items.flatMap((item) => ("str" in item ? [item] : [])) };
}

/** The text of a PDF. A line such as `[page 2]` begins each page. */
export async function pdfText(address: string): Promise<string> {
  const loading = openPdf(address);
  try {
    const document = await loading.promise;
    const pages: string[] = [];
    for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number++) {
      const { words } = await wordsOf(document, number);
      pages.push(`[page ${number}]\n${words.map(({ str }) => str).join(" ")}`);
    }
    return pages.join("\n");
  } finally {
    await loading.destroy();
  }
}

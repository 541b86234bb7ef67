/** Counts the pages of a PDF: from its uncompressed parts, otherwise by decompressing its page tree. */
import { countPdfPages } from "@cairn/timeline";
import { getDocumentProxy } from "unpdf";

export interface PdfPages {
  /** Returns null when the number of pages cannot be found. */
  readonly pages: number | null;
}

export default async function readPages(bytes: Uint8Array): Promise<PdfPages> {
  const plain = countPdfPages(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"));
  if (plain !== null) return { pages: plain };
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  const { numPages } = pdf;
  await pdf.loadingTask.destroy();
  return { pages: numPages > 0 ? numPages : null };
}

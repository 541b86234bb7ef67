/** The text of a PDF, page by page. */
import { extractText, getDocumentProxy } from "unpdf";

const MAX_TEXT_CHARS = 2_000_000;

export interface PdfText {
  readonly text: string;
}

export default async function readText(bytes: Uint8Array): Promise<PdfText> {
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  const { text } = await extractText(pdf, { mergePages: false });
  await pdf.loadingTask.destroy();
  return { text: text.join("\n\n").slice(0, MAX_TEXT_CHARS).toWellFormed() };
}

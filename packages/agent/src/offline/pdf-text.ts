/**
 * PDFs, read by a library that is loaded when the first one comes.
 */

/** How many pages a PDF has; null when the file cannot be read. */
export async function pdfPages(bytes: Uint8Array): Promise<number | null> {
  const { getDocumentProxy } = await import("unpdf");
  try {
    const pdf = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
    const { numPages } = pdf;
    await pdf.loadingTask.destroy();
    return numPages > 0 ? numPages : null;
  } catch {
    return null; // Whoever counts takes it for one page.
  }
}

/** The text of a PDF, page by page. Empty when there is none, or when the file cannot be read: a scan, a broken file. */
export async function pdfText(base64: string): Promise<string> {
  const { extractText, getDocumentProxy } = await import("unpdf");
  try {
    const pdf = await getDocumentProxy(Uint8Array.from(Buffer.from(base64, "base64")), { verbosity: 0 });
    const { text } = await extractText(pdf, { mergePages: false });
    return text.join("\n\n");
  } catch {
    return ""; // The model then says that it found nothing to read in it.
  }
}

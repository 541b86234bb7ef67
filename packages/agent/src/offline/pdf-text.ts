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

/** Reads the text of a document in a child process. */
import type { DocumentFormat, DocumentText } from "./document/document.ts";
import { documentText } from "./document/document-text.ts";

export default function readDocument(
  bytes: Uint8Array,
  { format }: { readonly format: DocumentFormat },
): Promise<DocumentText> {
  return documentText(bytes, format);
}

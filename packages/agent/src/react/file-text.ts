/**
 * The text of a file as `react.read` shows it and `react.search_files` searches it: of a document its text with its
 * parts, of anything else that is text the text itself. HTML is shown as a page when somebody sent it, and as it is
 * written when it is a file of the agent's, which patches need.
 */
import { type DocumentReading, documentFormat, readDocument } from "../reader/read-document.ts";
import { decodeText, sniffMime } from "../workspace/media.ts";

export type FileText = DocumentReading & {
  /** Whether the text was extracted from a document and therefore differs from the file's bytes. */
  readonly isExtracted: boolean;
};

export async function fileText(
  bytes: Uint8Array,
  physical: string,
  mime: string,
  signal: AbortSignal,
): Promise<FileText> {
  const isSent = /^[^/]+\/attachments\//.test(physical);
  const format = documentFormat(bytes, isSent ? mime : "");
  if (format !== null) return { ...(await readDocument(bytes, format, signal)), isExtracted: true };
  const unreadable = (why: string) => ({ unreadable: why, opens: false, isExtracted: false });
  if (bytes.length === 0) return unreadable("The file is empty.");
  const picture = sniffMime(bytes);
  if (picture !== null) return unreadable(`The file is a picture (${picture}) that is larger than models take.`);
  const text = decodeText(bytes);
  if (text === null) return unreadable(`The file is neither text nor a document that is read (${mime}).`);
  if (text.trim() === "") return unreadable("The file holds nothing but blanks.");
  return { text, isExtracted: false };
}

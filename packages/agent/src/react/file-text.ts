/**
 * The text of a file as `react.read` shows it and `react.search_files` searches it. For a document, it is the
 * document's text with its parts; for any other text file, the text itself. HTML that a person sent is shown as the
 * text of a page. HTML that the agent wrote is shown as source, because patches need the source.
 */
import { type DocumentReading, documentFormat, readDocument } from "../reader/read-document.ts";
import { LONG_TEXT_BYTES, LongText } from "../workspace/long-text.ts";
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
  const read = await textOrBytes(bytes, physical, mime, signal);
  if (read !== null) return read;
  const text = decodeText(bytes);
  if (text === null) return unreadable(notText(mime));
  return text.trim() === "" ? unreadable(BLANK) : { text, isExtracted: false };
}

/** Like `fileText`, but a long text that is not from a document is not decoded yet. */
export async function shownText(
  bytes: Uint8Array,
  physical: string,
  mime: string,
  signal: AbortSignal,
): Promise<FileText | { readonly text: LongText; readonly isExtracted: false }> {
  if (bytes.length < LONG_TEXT_BYTES) return fileText(bytes, physical, mime, signal);
  const read = await textOrBytes(bytes, physical, mime, signal);
  if (read !== null) return read;
  const text = await LongText.open(bytes);
  if (text === null) return unreadable(notText(mime));
  return (await text.isBlank()) ? unreadable(BLANK) : { text, isExtracted: false };
}

const BLANK = "The file holds nothing but blanks.";

function notText(mime: string): string {
  return `The file is neither text nor a document that is read (${mime}).`;
}

function unreadable(why: string): FileText {
  return { unreadable: why, opens: false, isExtracted: false };
}

/** Returns null for bytes that may be plain text. */
async function textOrBytes(
  bytes: Uint8Array,
  physical: string,
  mime: string,
  signal: AbortSignal,
): Promise<FileText | null> {
  const isSent = /^[^/]+\/attachments\//.test(physical);
  const format = documentFormat(bytes, isSent ? mime : "");
  if (format !== null) return { ...(await readDocument(bytes, format, signal)), isExtracted: true };
  if (bytes.length === 0) return unreadable("The file is empty.");
  const picture = sniffMime(bytes);
  return picture === null ? null : unreadable(`The file is a picture (${picture}) that is larger than models take.`);
}

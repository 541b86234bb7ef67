/**
 * Examines a new attachment: the real type of its bytes, and how much of a model's window they take.
 *
 * A file that claims to be a picture but is not, or is too large, would make every later request fail. So only files
 * that a model can see keep the media type of a picture or PDF. Other files are stored as bytes or text, and the
 * description gives the reason. If the bytes cannot be read at all, the message is still accepted.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { type BlobRef, CairnError, type EventBody, isBlobRef, type Json } from "@cairn/timeline";
import { decodeText, inspectBinary, MAX_SHOWN_BYTES, sniffMime } from "../../workspace/media.ts";

type Attachment = EventBody<"input.received">["attachments"][number];

export interface ArrivedAttachment {
  readonly name: string;
  /** The declared type, or the real one if it can be detected. */
  readonly mime: string;
  /** The media type of its block; the type of a picture or PDF is used only if models can see the file. */
  readonly blockMime: string;
  readonly size_bytes: number;
  readonly blob: BlobRef | null;
  /** Size of the attachment: pixels of a picture, or pages of a document. */
  readonly measures: Readonly<Record<string, Json>>;
  /** Why models do not see the file, for a file of a kind that they usually see. */
  readonly summary: string | null;
}

const SIGNATURE_BYTES = 64;

export async function inspectAttachment(
  store: ConversationStore,
  key: ConversationKey,
  { name, mime, size_bytes, blob }: Attachment,
  signal: AbortSignal,
): Promise<ArrivedAttachment> {
  const file = { name, mime, size_bytes, blob: isBlobRef(blob) ? blob : null };
  if (!isBlobRef(blob)) return isVisual(mime) ? notShown(file, "Its bytes are not here.") : shownAs(file, mime);
  try {
    const start = await readBytes(store.readBlob(key, blob, { range: { end: SIGNATURE_BYTES }, signal }));
    if (sniffMime(start) === null && !isVisual(mime)) return shownAs(file, mime);
    if (size_bytes > MAX_SHOWN_BYTES) return notShown(file, "Too large to be shown.");
    return await inspectContent(file, await readBytes(store.readBlob(key, blob, { signal })), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!CairnError.is(error)) throw error;
    return notShown(file, `Its bytes cannot be read: ${error.message}`);
  }
}

type File = Pick<ArrivedAttachment, "name" | "mime" | "size_bytes" | "blob">;

export async function inspectContent(file: File, bytes: Uint8Array, signal: AbortSignal): Promise<ArrivedAttachment> {
  const real = sniffMime(bytes);
  if (real === null && !isVisual(file.mime)) return shownAs(file, file.mime);
  if (bytes.length > MAX_SHOWN_BYTES) return notShown(file, "Too large to be shown.");
  const shown = await inspectBinary(bytes, signal);
  if (shown !== null) return { ...shownAs({ ...file, mime: shown.mime }, shown.mime), measures: shown.meta };
  if (real !== null) return notShown(file, "Too large to be shown.");
  const why = "Not a picture or document that can be shown.";
  return notShown(file, why, decodeText(bytes) === null ? undefined : "text/plain");
}

function isVisual(mime: string): boolean {
  return /^image\/|^application\/pdf/i.test(mime);
}

function shownAs(file: File, blockMime: string): ArrivedAttachment {
  return { ...file, blockMime, measures: {}, summary: null };
}

function notShown(file: File, summary: string, blockMime = "application/octet-stream"): ArrivedAttachment {
  return { ...file, blockMime, measures: {}, summary };
}

async function readBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(chunks));
}

/**
 * Examines a new attachment: the real type of its bytes, and how much of a model's window they take.
 *
 * A file that claims to be a picture but is not, or is too large, would make every later request fail. So only files
 * that a model can be shown keep the media type of a picture or PDF; others are stored as bytes or text, and the
 * description says so. If the bytes cannot be read at all, the message is still accepted.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { type BlobRef, CairnError, type EventBody, isBlobRef, type Json } from "@cairn/timeline";
import { decodeText, inspectBinary, LARGEST_SHOWN, sniffMime } from "../../workspace/media.ts";

type Attachment = EventBody<"input.received">["attachments"][number];

export interface ArrivedAttachment {
  readonly name: string;
  /** The declared type, or the real one if it can be detected. */
  readonly mime: string;
  /** The media type of its block; the type of a picture or PDF is used only if models can see the file. */
  readonly blockMime: string;
  readonly size_bytes: number;
  readonly blob: BlobRef | null;
  /** Size in pixels or pages. */
  readonly measures: Readonly<Record<string, Json>>;
  /** Why models do not see the file, if this is unexpected. */
  readonly summary: string | null;
}

const SIGNATURE_BYTES = 64;

export async function inspectAttachment(
  store: ConversationStore,
  key: ConversationKey,
  { name, mime, size_bytes, blob }: Attachment,
  signal: AbortSignal,
): Promise<ArrivedAttachment> {
  const plain = { name, mime, blockMime: mime, size_bytes, blob: isBlobRef(blob) ? blob : null, measures: {} };
  const isVisual = /^image\/|^application\/pdf/i.test(mime);
  const notShown = (summary: string, blockMime: string) => ({ ...plain, blockMime, summary });
  if (!isBlobRef(blob))
    return isVisual ? notShown("Its bytes are not here.", "application/octet-stream") : { ...plain, summary: null };
  try {
    const start = await readBytes(store.readBlob(key, blob, { range: { end: SIGNATURE_BYTES }, signal }));
    const real = sniffMime(start);
    if (real === null && !isVisual) return { ...plain, summary: null };
    if (size_bytes > LARGEST_SHOWN) return notShown("Too large to be shown.", "application/octet-stream");
    const bytes = await readBytes(store.readBlob(key, blob, { signal }));
    const shown = await inspectBinary(bytes, signal);
    if (shown !== null)
      return { ...plain, mime: shown.mime, blockMime: shown.mime, measures: shown.meta, summary: null };
    const isText = real === null && decodeText(bytes) !== null;
    const why = real === null ? "Not a picture or document that can be shown." : "Too large to be shown.";
    return notShown(why, isText ? "text/plain" : "application/octet-stream");
  } catch (error) {
    signal.throwIfAborted();
    if (!CairnError.is(error)) throw error;
    return notShown(`Its bytes cannot be read: ${error.message}`, "application/octet-stream");
  }
}

async function readBytes(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(chunks));
}

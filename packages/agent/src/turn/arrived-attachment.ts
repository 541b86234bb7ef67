/**
 * An attachment as it arrives: what its bytes are, whatever it was sent as, and how much of a model's window they take.
 *
 * One file that says it is a picture and is none, or is too large, would make every later request fail. So only what a
 * model can be shown keeps the media type of a picture or PDF; anything else is stored as the bytes or the text it is,
 * and the description says so. Bytes that cannot be read at all are no reason to lose the message.
 */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { type BlobRef, CairnError, type EventBody, isBlobRef, type Json } from "@cairn/timeline";
import { decodeText, inspectBinary, LARGEST_SHOWN, sniffMime } from "../workspace/media.ts";

type Attachment = EventBody<"input.received">["attachments"][number];

export interface ArrivedAttachment {
  readonly name: string;
  /** What it was sent as, or what it really is where that can be told. */
  readonly mime: string;
  /** Under which its block is stored: a picture's or PDF's only if a model can be shown it. */
  readonly blockMime: string;
  readonly size_bytes: number;
  readonly blob: BlobRef | null;
  /** Size in pixels or pages. */
  readonly measures: Readonly<Record<string, Json>>;
  /** Why a model is not shown it, where one might expect that. */
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

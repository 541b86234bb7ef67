/** The current version of a file according to the journal, because the folder of a machine may be out of date. */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { ByteSource } from "@cairn/store";
import type { BlobRef } from "@cairn/timeline";

export interface LatestFile {
  /** Hash of all bytes; null when the bytes are only in the folder in which they were written. */
  readonly hash: BlobRef | null;
  /** Size in bytes; null if it was not recorded. */
  readonly size: number | null;
  /** Reads the bytes; null when no hash was recorded. */
  readonly read: (() => ByteSource) | null;
}

/** A latest file whose bytes are available. */
export function latestOfBytes(bytes: Uint8Array): LatestFile {
  const hash: BlobRef = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  return { hash, size: bytes.length, read: () => [bytes] };
}

/** Whether an open file has the recorded size and hash of the latest version. A null size or hash is not compared. */
export async function isLatest(handle: FileHandle, { hash, size }: LatestFile, signal?: AbortSignal): Promise<boolean> {
  if (size !== null && (await handle.stat()).size !== size) return false;
  if (hash === null) return true;
  const own = createHash("sha256");
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
    signal?.throwIfAborted();
    own.update(chunk as Uint8Array);
  }
  return `sha256:${own.digest("hex")}` === hash;
}

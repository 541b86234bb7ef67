/**
 * What a conversation's journal says a file is now. A folder may lie behind it: another machine can have written the
 * file since, or a process can have died between writing a file and telling of it.
 */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { ByteSource } from "@cairn/store";
import type { BlobRef } from "@cairn/timeline";

export interface LatestFile {
  /** Names all the bytes; null when they were not kept anywhere but in the folder they were written to. */
  readonly hash: BlobRef | null;
  /** Null when nobody noted it. */
  readonly size: number | null;
  /** The bytes; null when there is no hash. */
  readonly read: (() => ByteSource) | null;
}

/** A latest file whose bytes are at hand. */
export function latestOfBytes(bytes: Uint8Array): LatestFile {
  const hash: BlobRef = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  return { hash, size: bytes.length, read: () => [bytes] };
}

/** Whether an open file is the latest, as far as anybody can tell. Leaves the handle where it can be read from the start. */
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

/**
 * Garbage collection of the reference store: removes references that no event named in time, and unreferenced bytes.
 */
import { blobKey } from "./memory-blob-store.ts";
import type { MemoryData } from "./memory-data.ts";
import { namedBlobs } from "./memory-info.ts";

/** Removes only references and bytes from before `limit`, in epoch milliseconds. */
export function sweep(data: MemoryData, limit: number) {
  const needed = new Set<string>();
  let references = 0;
  for (const conversation of data.conversations.values()) {
    const named = new Set(namedBlobs(conversation.journal));
    for (const [ref, at] of conversation.references)
      if (named.has(ref) || at > limit) needed.add(blobKey(conversation.key.tenant, ref));
      else if (conversation.references.delete(ref)) references++;
  }
  let bytes = 0;
  let blobs = 0;
  for (const [key, blob] of data.blobs) {
    if (needed.has(key) || blob.at > limit) continue;
    data.blobs.delete(key);
    blobs++;
    bytes += blob.bytes.length;
  }
  return { blobs, bytes, references, leftovers: 0 };
}

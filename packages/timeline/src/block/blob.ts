/** Blob references. A stored block keeps `meta.blob`; its `base64` is filled in when the block is sent or read. */
import type { Block } from "./block.ts";

/** `sha256:` and 64 lower-case hexadecimal digits. */
export type BlobRef = `sha256:${string}`;

export function isBlobRef(value: unknown): value is BlobRef {
  return typeof value === "string" && /^sha256:[0-9a-f]{64}$/.test(value);
}

export function blobOf(block: Block): BlobRef | null {
  const ref = block.meta?.blob;
  return isBlobRef(ref) ? ref : null;
}

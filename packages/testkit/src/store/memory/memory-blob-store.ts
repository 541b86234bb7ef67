/** The reference blob store: bytes in a Map under tenant and hash. */
import { createHash } from "node:crypto";
import { type BlobStore, type ByteRange, type ByteSource, storeError } from "@cairn/store";
import { type BlobRef, type Clock, isBlobRef } from "@cairn/timeline";
import type { MemoryData } from "./memory-data.ts";

export class MemoryBlobStore implements BlobStore {
  readonly #data: MemoryData;
  readonly #clock: Clock;

  constructor(data: MemoryData, clock: Clock) {
    this.#data = data;
    this.#clock = clock;
  }

  async put(tenant: string, source: ByteSource, options: { readonly signal?: AbortSignal } = {}) {
    options.signal?.throwIfAborted();
    const bytes = await collectBytes(source, options.signal);
    options.signal?.throwIfAborted();
    return this.keep(tenant, bytes);
  }

  /**
   * The bytes are stored at once, so that a garbage collection cannot come before a reference that is made in the same
   * step.
   */
  keep(tenant: string, bytes: Uint8Array) {
    const ref: BlobRef = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    this.#data.blobs.set(blobKey(tenant, ref), { tenant, ref, bytes, at: this.#clock.now() });
    return { ref, size: bytes.length };
  }

  async *get(
    tenant: string,
    ref: BlobRef,
    options: { readonly signal?: AbortSignal; readonly range?: ByteRange } = {},
  ) {
    options.signal?.throwIfAborted();
    checkRef(ref);
    const { start = 0, end } = checkRange(options.range);
    const blob = this.#data.blobs.get(blobKey(tenant, ref));
    if (blob === undefined) throw storeError("not_found", `There is no blob ${ref}.`, { ref });
    const bytes = blob.bytes.slice(start, Math.max(start, end ?? blob.bytes.length));
    if (bytes.length > 0) yield bytes;
  }

  async stat(tenant: string, ref: BlobRef): Promise<number | null> {
    checkRef(ref);
    return this.#data.blobs.get(blobKey(tenant, ref))?.bytes.length ?? null;
  }

  async delete(tenant: string, ref: BlobRef): Promise<void> {
    checkRef(ref);
    this.#data.blobs.delete(blobKey(tenant, ref));
  }
}

export function blobKey(tenant: string, ref: BlobRef): string {
  return JSON.stringify([tenant, ref]);
}

/** Only valid addresses are accepted, before they become part of a file name. */
function checkRef(ref: BlobRef): void {
  if (!isBlobRef(ref)) throw storeError("bad_argument", "A blob is addressed as `sha256:` and 64 hexadecimal digits.");
}

function checkRange(range: ByteRange = {}): ByteRange {
  for (const bound of [range.start, range.end])
    if (bound !== undefined && (!Number.isSafeInteger(bound) || bound < 0))
      throw storeError("bad_argument", "The bounds of a range are whole numbers from 0.");
  return range;
}

/** Reads all bytes in one piece, which is acceptable for a reference implementation. */
export async function collectBytes(source: ByteSource, signal?: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) {
    signal?.throwIfAborted();
    chunks.push(chunk.slice());
  }
  return new Uint8Array(Buffer.concat(chunks));
}

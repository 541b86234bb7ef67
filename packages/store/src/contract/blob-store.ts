/**
 * Where bytes live: content-addressed by tenant and SHA-256, immutable, streamed.
 *
 * A blob store knows tenants and hashes only. Who may read what is decided by the conversation store, whose reference
 * rows every read of a user goes through (`ConversationStore.readBlob`); nothing outside a store calls this directly.
 */
import type { BlobRef } from "@cairn/timeline";
import type { CallOptions } from "./call-options.ts";

/** Bytes to store: anything that yields chunks. It is read once and never held whole. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface BlobInfo {
  readonly ref: BlobRef;
  readonly size: number;
}

/**
 * Bytes `start` (0 by default) up to but not including `end` (the size by default); both are cut to the size, and a
 * range that ends before it starts is empty.
 */
export interface ByteRange {
  readonly start?: number;
  readonly end?: number;
}

export interface BlobStore {
  /**
   * Stores the bytes and gives their address. Durable when it returns; a failure or an abort leaves nothing that can
   * be read. Putting the same bytes twice, also at once and from several processes, is fine.
   */
  put(tenant: string, source: ByteSource, options?: CallOptions): Promise<BlobInfo>;
  /**
   * The bytes, or a range of them, in chunks. `not_found` when they are not there. A read of the whole blob is hashed
   * on the way and ends in `corrupt` when the bytes are not those of the address; a range is checked for length only.
   */
  get(tenant: string, ref: BlobRef, options?: CallOptions & { readonly range?: ByteRange }): AsyncIterable<Uint8Array>;
  /** The size in bytes, or null when the blob is not there. */
  stat(tenant: string, ref: BlobRef, options?: CallOptions): Promise<number | null>;
  /** Removes the bytes. Removing what is not there does nothing. */
  delete(tenant: string, ref: BlobRef, options?: CallOptions): Promise<void>;
}

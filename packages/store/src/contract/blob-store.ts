/**
 * The storage for bytes: content-addressed by tenant and SHA-256, immutable, streamed.
 *
 * A blob store knows only tenants and hashes. The conversation store decides who may read a blob: every read by a user
 * goes through its reference rows (`ConversationStore.readBlob`). Code outside a store never calls a blob store
 * directly.
 */
import type { BlobRef } from "@cairn/timeline";
import type { CallOptions } from "./call-options.ts";

/** Bytes to store: any async source of chunks. The source is read once and never held in memory as a whole. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface BlobInfo {
  readonly ref: BlobRef;
  readonly size: number;
}

/** Bytes from `start` (default: 0) up to but not including `end` (default: the size), limited to the size. */
export interface ByteRange {
  readonly start?: number;
  readonly end?: number;
}

export interface RangeOptions extends CallOptions {
  readonly range?: ByteRange;
}

export interface BlobStore {
  /**
   * Stores the bytes and returns their address. The bytes are durable when `put` returns; after a failure or an abort
   * nothing can be read. Storing the same bytes twice is allowed, also at the same time and from several processes.
   */
  put(tenant: string, source: ByteSource, options?: CallOptions): Promise<BlobInfo>;
  /**
   * Returns the bytes, or a range of them, in chunks. Throws `not_found` when the blob does not exist. A read of the
   * whole blob is hashed and ends in `corrupt` when the bytes do not match the address; a range is checked for length
   * only.
   */
  get(tenant: string, ref: BlobRef, options?: RangeOptions): AsyncIterable<Uint8Array>;
  stat(tenant: string, ref: BlobRef, options?: CallOptions): Promise<number | null>;
  /** Removes the bytes. Removing a blob that does not exist has no effect. */
  delete(tenant: string, ref: BlobRef, options?: CallOptions): Promise<void>;
}

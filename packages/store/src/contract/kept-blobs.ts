/** What a conversation store needs of its blobs beyond the contract: bytes and references that never miss each other. */
import type { BlobRef } from "@cairn/timeline";
import type { BlobInfo, BlobStore, ByteSource } from "./blob-store.ts";
import type { CallOptions } from "./call-options.ts";

export interface PutSteps {
  /** Tells the store of bytes that are about to be written, so that they are found should nobody ever refer to them. */
  readonly announce?: (blob: BlobInfo) => Promise<void>;
  /** Makes the reference. Should the bytes be taken away before it is there, they are written once more. */
  readonly refer: (blob: BlobInfo) => Promise<void>;
}

/** A file of bytes, whoever knows of it. */
export interface BlobFile {
  readonly tenantFolder: string;
  readonly ref: BlobRef;
  readonly file: string;
}

export interface KeptBlobs extends BlobStore {
  putWith(tenant: string, source: ByteSource, steps: PutSteps, options?: CallOptions): Promise<BlobInfo>;
  /**
   * Removes bytes that nobody refers to, unless they were written after `before`; gives their size, or null when nothing
   * was removed. Inside the transaction that has seen it, unless there is a `removalMs`.
   */
  discard(tenant: string, ref: BlobRef, before: number, options?: CallOptions): number | null | Promise<number | null>;
  /** Where removing takes its time: so long after it was told to, the service may still be at it, and no longer. */
  readonly removalMs?: number;
  /** Every file of bytes, where a write that was cut short can leave one behind that nothing tells of. */
  files?(): AsyncIterable<BlobFile>;
  /** Halves of writes that were cut short. */
  temporaryFiles?(): AsyncIterable<string>;
}

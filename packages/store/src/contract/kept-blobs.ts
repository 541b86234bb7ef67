/** The methods of a blob store that a conversation store needs, so that bytes and references always match. */
import type { BlobRef } from "@cairn/timeline";
import type { BlobInfo, BlobStore, ByteSource } from "./blob-store.ts";
import type { CallOptions } from "./call-options.ts";

export interface PutSteps {
  /** Announces the bytes that are about to be written, so that they can be found if no reference is ever made. */
  readonly announce?: (blob: BlobInfo) => Promise<void>;
  /** Makes the reference from the conversation to the blob. If the bytes were removed, they are written again. */
  readonly refer: (blob: BlobInfo) => Promise<void>;
}

/** A file of bytes, with or without a reference. */
export interface BlobFile {
  readonly tenantFolder: string;
  readonly ref: BlobRef;
  readonly file: string;
}

export interface KeptBlobs extends BlobStore {
  putWith(tenant: string, source: ByteSource, steps: PutSteps, options?: CallOptions): Promise<BlobInfo>;
  /**
   * Removes bytes without references, unless they were written after `before`; returns their size, or null when nothing
   * was removed. Runs inside the transaction that found them unreferenced, unless there is a `removalMs`.
   */
  discard(tenant: string, ref: BlobRef, before: number, options?: CallOptions): number | null | Promise<number | null>;
  /** Maximum milliseconds that a removal may take, for services that remove objects slowly. */
  readonly removalMs?: number;
  /** Lists every file of bytes. Needed if an interrupted write can leave a file that no row names. */
  files?(): AsyncIterable<BlobFile>;
  /** Finds incomplete files of interrupted writes. */
  temporaryFiles?(): AsyncIterable<string>;
}

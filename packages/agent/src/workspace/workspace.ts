/**
 * The workspace: the folder (OUT_DIR) with the files of a conversation during a turn. Files of earlier turns, and newer
 * versions from another machine, are pulled from the blob store on request, so no caller gets an older version. Every
 * path is physical, relative and checked; nothing outside the folder is read or written, not even through a link
 * (`unsafe_path`).
 */
import type { BlobRef } from "@cairn/timeline";

export interface Workspace {
  /** Absolute path of OUT_DIR, for tools that run programs. */
  readonly root: string;
  /** The bytes of the latest version, pulled if necessary; null when there is no such file. */
  read(path: string, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array | null>;
  /** Creates or replaces a file, atomically. */
  write(path: string, content: Uint8Array | string): Promise<void>;
  /** Ensures that the latest version of a file is in the folder; returns false when it does not exist. */
  pull(path: string, options?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /** The files below a folder as sorted physical paths, at most `limit` of them. */
  list(folder: string, limit: number): Promise<readonly string[]>;
  /** Stores the bytes of a file so that they outlive the workspace, and returns its hosting fields. */
  host(path: string): Promise<Hosted>;
}

/** Hosting fields: kept in a block's meta, never shown to a model. */
export interface Hosted {
  readonly blob: BlobRef;
  readonly size_bytes: number;
  readonly hosted_uri: string;
  readonly rn: string;
  readonly key: string;
}

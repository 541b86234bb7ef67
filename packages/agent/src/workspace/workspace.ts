/**
 * The workspace: the folder (OUT_DIR) in which the files of a conversation lie while a turn works with them. Files of
 * earlier turns are pulled from the blob store when somebody asks for them, and so are files that another machine has
 * written since they were put there: nobody is given an older version. Every path is physical, relative and checked;
 * nothing outside the folder is read or written, not even through a link (`unsafe_path`).
 */
import type { BlobRef } from "@cairn/timeline";

export interface Workspace {
  /** Absolute path of OUT_DIR, for tools that run programs. */
  readonly root: string;
  /** The bytes of the latest version, pulled if necessary; null when there is no such file anywhere. */
  read(path: string, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array | null>;
  /** Makes or replaces a file, atomically. */
  write(path: string, content: Uint8Array | string): Promise<void>;
  /** Makes sure the latest version of a file lies in the folder; false when it is nowhere to be found. */
  pull(path: string, options?: { readonly signal?: AbortSignal }): Promise<boolean>;
  /** The files below a folder, as physical paths, sorted; at most `limit`. */
  list(folder: string, limit: number): Promise<readonly string[]>;
  /** Stores the bytes of a file where they outlive the workspace, and says how they are hosted. */
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

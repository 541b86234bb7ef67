/** What a server and a reader process say to each other, in frames. */
import type { JsonObject } from "@cairn/timeline";

export interface Job {
  readonly module: string;
  readonly options: JsonObject;
}

export type Reply =
  /** The process has started; only now does the time of its first job begin. */
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "failed"; readonly code: string; readonly message: string };

/** More than any file that is read. */
export const MAX_JOB_BYTES = 256 * 1024 * 1024;
/** Two million characters of text take at most six bytes each in JSON, plus what is said about them. */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/** The messages between a server and a reader process, in frames. */
import type { JsonObject } from "@cairn/timeline";

export interface Job {
  readonly module: string;
  readonly options: JsonObject;
}

export type Reply =
  /** The process has started; the time limit of its first job begins now. */
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly result: unknown }
  | { readonly type: "failed"; readonly code: string; readonly message: string };

/** Maximum bytes of one job, more than any file that the server accepts. */
export const MAX_JOB_BYTES = 256 * 1024 * 1024;
/** Maximum bytes of an answer. Two million characters of text take at most six bytes each in JSON, plus metadata. */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024;

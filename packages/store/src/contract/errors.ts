/** The errors of a store: `CairnError`s with these codes. A failure to load is never an empty conversation. */
import { CairnError } from "@cairn/timeline";

export type StoreErrorCode =
  /** A part of the scope is empty, too long or not well-formed. */
  | "bad_scope"
  /** An argument is out of range: a limit, a cursor, a lease duration, a byte range. */
  | "bad_argument"
  /** An event cannot be appended: its body is not valid or its position does not continue the conversation. */
  | "bad_event"
  /** There is no such conversation, event, artifact or blob in this scope. */
  | "not_found"
  | "conversation_exists"
  /** The writer holds the lease but expected another last timeline event: it must load the conversation again. */
  | "conflict"
  /** Timeline events were appended without a lease. */
  | "lease_required"
  /** Another writer holds the lease; `details.expires_at` says until when. */
  | "lease_held"
  /** The token is no longer the current one: another writer took over, or the lease was released. Stop writing. */
  | "lease_lost"
  /** A fork was requested inside a batch or while a call was open. */
  | "not_settled"
  /** An event names a blob that was not put into this conversation, or the bytes are missing. */
  | "blob_missing"
  /** Stored data is damaged. `verify` names the defects. */
  | "corrupt"
  /** The data was written by a newer version of the program. */
  | "newer_version"
  /** No disk space is left. Nothing was saved. */
  | "full"
  | "read_only"
  /** The database was locked for too long, or `gc` removed a paused import or fork. Nothing was saved; try again. */
  | "busy"
  | "too_large"
  | "closed"
  /** The operating system reported an error that has no code of its own. */
  | "io";

export function storeError(
  code: StoreErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): CairnError {
  return new CairnError(code, message, details);
}

/**
 * What can go wrong in a store. Every failure is a `CairnError` with one of these codes: a caller decides by code, and
 * a failure to load is never taken for an empty conversation.
 */
import { CairnError } from "@cairn/timeline";

export type StoreErrorCode =
  /** A part of the scope is empty, too long or not well-formed. */
  | "bad_scope"
  /** An argument is out of its range: a limit, a cursor, a time-to-live, a range. */
  | "bad_argument"
  /** An event cannot be appended: its body is not valid or its position does not continue the conversation. */
  | "bad_event"
  /** There is no such conversation, event, artifact or blob in this scope. */
  | "not_found"
  | "conversation_exists"
  /** The writer holds the lease but expected another last timeline event: load again. */
  | "conflict"
  /** Timeline events were sent without a lease. */
  | "lease_required"
  /** Somebody else holds the lease; `details.expires_at` says until when. */
  | "lease_held"
  /** The token is no longer the current one: another writer took over, or the lease was released. Stop. */
  | "lease_lost"
  /** A fork was asked for inside a batch or while a call was open. */
  | "not_settled"
  /** An event names bytes that this conversation has not put, or the bytes are gone. */
  | "blob_missing"
  /** What is stored is not what was written. `verify` names the defects. */
  | "corrupt"
  /** Written by a newer version of the program. */
  | "newer_version"
  /** No space is left. Nothing of the call was kept. */
  | "full"
  | "read_only"
  /**
   * Others held the database for longer than the busy timeout, or `gc` swept an import or fork that was paused for
   * longer than its grace period. Nothing of the call was kept; try again.
   */
  | "busy"
  | "too_large"
  /** The store was closed. */
  | "closed"
  /** The operating system refused, for a reason that has no code of its own. */
  | "io";

export function storeError(
  code: StoreErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): CairnError {
  return new CairnError(code, message, details);
}

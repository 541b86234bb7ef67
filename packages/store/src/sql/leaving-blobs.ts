/**
 * Removes blobs from a service that removes slowly, such as S3.
 *
 * A transaction cannot stay open until the service has removed the bytes: the database may end it, and a concurrent put
 * of the same bytes would find these bytes and then lose them. So `gc` marks a blob first: its `free_since` becomes
 * minus the time when the removal must be over. Then the bytes are removed outside of any transaction, and after them
 * the row. While the mark is valid, no other process announces the blob or refers to it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { BlobRef } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

const FIND_BLOB = "SELECT free_since FROM blobs WHERE tenant = ? AND hash = ?";

/** Locks a blob, so that its last reference is made or dropped, and its bytes removed, by one process at a time. */
export const LOCK_BLOB = { sqlite: FIND_BLOB, postgres: `${FIND_BLOB} FOR UPDATE` };

/** How long a put waits while another process removes the same bytes, which takes a moment unless the process died. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 50;

class BlobLeaving extends Error {}

/** Throws if the blob is being removed. `onceLeft` catches the error and tries again. */
export function* refuseLeaving(db: SqlDatabase, tenant: string, ref: BlobRef, now: number): Work<void> {
  const freeSince = (yield* db.get<{ free_since: number | null }>(LOCK_BLOB, tenant, ref))?.free_since ?? 0;
  if (freeSince < 0 && -freeSince > now) throw new BlobLeaving("The blob is being removed.");
}

/** Runs `write` again until its blobs are no longer being removed. */
export async function onceLeft<T>(write: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (const began = performance.now(); performance.now() - began < PATIENCE_MS; )
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof BlobLeaving)) throw error;
      await sleep(LOOK_MS, undefined, signal === undefined ? {} : { signal });
    }
  throw storeError("busy", "A blob with the same bytes is being removed. Nothing was saved; try again in a minute.");
}

/**
 * Bytes on their way out of a service that takes its time.
 *
 * No transaction can hold what it has seen until such a service has removed them: the database may cut it, and whoever
 * puts the same bytes just then would find them there and lose them a moment later. So `gc` marks a blob first: its
 * `free_since` is then minus the moment at which the removal is over, done or not. Then the bytes go, outside of any
 * transaction, then the row. As long as the mark holds, nobody announces the blob or refers to it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { BlobRef } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

const FIND_BLOB = "SELECT free_since FROM blobs WHERE tenant = ? AND hash = ?";

/** Whoever makes or drops the last reference of a blob, or removes it, does so one after the other. */
export const LOCK_BLOB = { sqlite: FIND_BLOB, postgres: `${FIND_BLOB} FOR UPDATE` };

/** How long whoever puts bytes waits for others to have removed the same: it takes them a moment, unless they died. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 50;

class BlobLeaving extends Error {}

/** Throws what `onceLeft` waits for. */
export function* refuseLeaving(db: SqlDatabase, tenant: string, ref: BlobRef, now: number): Work<void> {
  const freeSince = (yield* db.get<{ free_since: number | null }>(LOCK_BLOB, tenant, ref))?.free_since ?? 0;
  if (freeSince < 0 && -freeSince > now) throw new BlobLeaving("The blob is being removed.");
}

/** Writes when the bytes that it is about are not on their way out any more. */
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

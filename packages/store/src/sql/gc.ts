/**
 * Garbage collection: removes blobs without references, and remains of deleted text in the database's files.
 *
 * A file is removed only inside a write transaction that has just found it unreferenced, and only if both the database
 * and the file show that it was unreferenced for the whole grace period. A put that finishes during the removal finds
 * its bytes missing after it has made its reference, and writes them again (`BlobFolder.putWith`). Blobs in a service
 * that removes slowly are marked first (`leaving-blobs.ts`).
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { BlobRef } from "@cairn/timeline";
import type { KeptBlobs } from "../contract/kept-blobs.ts";
import type { GcReport } from "../contract/store-maintenance.ts";
import { deleteFileOlder, tenantFolder } from "../fs/blob-folder.ts";
import { dropReference, isReferenced } from "./references.ts";
import type { ScrubOptions, SqlDatabase } from "./sql-database.ts";
import { discardStaged, removeConversation } from "./staging.ts";
import type { Work } from "./work.ts";

const PIECE = 200;

export async function collectGarbage(
  db: SqlDatabase,
  blobs: KeptBlobs,
  clock: () => number,
  { graceMs, signal, ...scrub }: ScrubOptions & { readonly graceMs: number; readonly signal?: AbortSignal | undefined },
): Promise<GcReport> {
  const now = clock();
  const before = now - graceMs;
  const halves = await removeHalves(db, now, before, signal);
  const references = await dropUnusedReferences(db, now, before, signal);
  const freed = await removeFreeBlobs(db, blobs, clock, before, signal);
  const strays = await removeStrays(db, blobs, before, signal);
  const temporary = await removeTemporary(blobs, before, signal);
  await db.scrub(scrub, signal);
  return {
    blobs: freed.blobs + strays.blobs,
    bytes: freed.bytes + strays.bytes,
    references,
    leftovers: halves + temporary,
  };
}

/** Finishes deletions that were begun, and undoes imports and forks that were idle for the grace period. */
async function removeHalves(db: SqlDatabase, now: number, before: number, signal?: AbortSignal): Promise<number> {
  const rows = await db.read(
    () =>
      db.all<{ id: number; stage: number }>(
        `SELECT id, stage FROM conversations WHERE stage IN (2, 3) OR (stage = 1 AND staged_at <= ?)
          ORDER BY id DESC`,
        before,
      ),
    signal,
  );
  let removed = 0;
  for (const { id, stage } of rows) {
    signal?.throwIfAborted();
    if (stage !== 1) await removeConversation(db, id, now);
    else if (!(await discardStaged(db, id, now, before))) continue;
    if (stage !== 3) removed++;
  }
  return removed;
}

const UNUSED = `SELECT r.conversation, r.hash FROM refs r JOIN conversations c ON c.id = r.conversation
WHERE r.used_seq = 0 AND r.created_at <= ? AND c.stage = 0`;
/** Skips references that another transaction is about to use. */
const UNUSED_AND_LOCKED = { sqlite: UNUSED, postgres: `${UNUSED} FOR UPDATE OF r SKIP LOCKED` };

async function dropUnusedReferences(
  db: SqlDatabase,
  now: number,
  before: number,
  signal?: AbortSignal,
): Promise<number> {
  return db.write(function* () {
    const rows = yield* db.all<{ conversation: number; hash: string }>(UNUSED_AND_LOCKED, before);
    for (const { conversation, hash } of rows) yield* dropReference(db, conversation, hash, now);
    return rows.length;
  }, signal);
}

interface Freed {
  blobs: number;
  bytes: number;
}

async function removeFreeBlobs(
  db: SqlDatabase,
  blobs: KeptBlobs,
  clock: () => number,
  before: number,
  signal?: AbortSignal,
): Promise<Freed> {
  const freed: Freed = { blobs: 0, bytes: 0 };
  const { removalMs } = blobs;
  for (let more = true; more; ) {
    const piece =
      removalMs === undefined
        ? await db.write(() => removePiece(db, blobs, clock(), before), signal)
        : await removeSlowly(db, blobs, { clock, before, removalMs }, signal);
    more = piece.more;
    for (const size of piece.sizes) {
      if (size === null) continue;
      freed.blobs++;
      freed.bytes += size;
    }
    await yieldToOthers();
  }
  return freed;
}

interface FreeBlob {
  readonly tenant: string;
  readonly hash: BlobRef;
}

/** The size of each removed blob, and whether there may be more. */
interface RemovedPiece {
  readonly sizes: readonly (number | null)[];
  readonly more: boolean;
}

/** Blobs with a current mark are left to the process that set it. */
const FREE = "SELECT tenant, hash FROM blobs WHERE free_since <= ? AND free_since >= ? LIMIT ?";
const FREE_AND_LOCKED = { sqlite: FREE, postgres: `${FREE} FOR UPDATE SKIP LOCKED` };

/** Inside a write transaction: unreferenced blobs, and whether there may be more. */
function* findFree(db: SqlDatabase, now: number, before: number, most: number) {
  const rows = yield* db.all<FreeBlob>(FREE_AND_LOCKED, before, -now, most);
  const free: FreeBlob[] = [];
  for (const blob of rows) {
    const { tenant, hash } = blob;
    if (yield* isReferenced(db, tenant, hash))
      yield* db.run("UPDATE blobs SET free_since = NULL WHERE tenant = ? AND hash = ?", tenant, hash);
    else free.push(blob);
  }
  return { free, more: rows.length === most };
}

function* removePiece(db: SqlDatabase, blobs: KeptBlobs, now: number, before: number): Work<RemovedPiece> {
  const { free, more } = yield* findFree(db, now, before, PIECE);
  const sizes: (number | null)[] = [];
  for (const { tenant, hash } of free) {
    yield* db.run("DELETE FROM blobs WHERE tenant = ? AND hash = ?", tenant, hash);
    sizes.push(yield* db.perform(() => blobs.discard(tenant, hash, before)));
  }
  return { sizes, more };
}

/** Maximum number of blobs that are removed at once, because a put of one of them waits for all. */
const SLOW_PIECE = 20;

async function removeSlowly(
  db: SqlDatabase,
  blobs: KeptBlobs,
  { clock, before, removalMs }: { readonly clock: () => number; readonly before: number; readonly removalMs: number },
  signal?: AbortSignal,
): Promise<RemovedPiece> {
  // The timer starts before the mark is set. A paused process then removes no blob after its mark has expired.
  const inTime = AbortSignal.timeout(removalMs / 2);
  const { free, more, mark } = await db.write(function* () {
    const now = clock();
    const found = yield* findFree(db, now, before, SLOW_PIECE);
    const until = -(now + removalMs);
    for (const { tenant, hash } of found.free)
      yield* db.run("UPDATE blobs SET free_since = ? WHERE tenant = ? AND hash = ?", until, tenant, hash);
    return { ...found, mark: until };
  }, signal);
  if (free.length === 0) return { sizes: [], more };
  const each = { signal: signal === undefined ? inTime : AbortSignal.any([inTime, signal]) };
  const outcomes = await Promise.allSettled(
    free.map(async ({ tenant, hash }) => blobs.discard(tenant, hash, before, each)),
  );
  // Blobs that could not be removed keep their mark and are tried again after it expires.
  await db.write(function* () {
    for (const [nth, { tenant, hash }] of free.entries())
      if (outcomes[nth]?.status === "fulfilled")
        yield* db.run("DELETE FROM blobs WHERE tenant = ? AND hash = ? AND free_since = ?", tenant, hash, mark);
  });
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  return { sizes: outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : null)), more };
}

/** Removes bytes that a put stored without making a reference. */
async function removeStrays(db: SqlDatabase, blobs: KeptBlobs, before: number, signal?: AbortSignal): Promise<Freed> {
  const freed: Freed = { blobs: 0, bytes: 0 };
  if (blobs.files === undefined) return freed;
  const scopes = await db.read(() => db.all<{ tenant: string }>("SELECT DISTINCT tenant FROM scopes"), signal);
  const known = new Map(scopes.map(({ tenant }) => [tenantFolder(tenant), tenant]));
  for await (const { tenantFolder: folder, ref, file } of blobs.files()) {
    signal?.throwIfAborted();
    const tenant = known.get(folder);
    if (await db.read(() => isKnown(db, tenant, ref), signal)) continue;
    const size = await db.write(function* () {
      if (yield* isKnown(db, tenant, ref)) return null;
      return yield* db.perform(() => deleteFileOlder(file, before));
    }, signal);
    if (size === null) continue;
    freed.blobs++;
    freed.bytes += size;
  }
  return freed;
}

function* isKnown(db: SqlDatabase, tenant: string | undefined, ref: BlobRef): Work<boolean> {
  if (tenant === undefined) return false;
  return (yield* db.get("SELECT 1 FROM blobs WHERE tenant = ? AND hash = ?", tenant, ref)) !== undefined;
}

async function removeTemporary(blobs: KeptBlobs, before: number, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  for await (const file of blobs.temporaryFiles?.() ?? []) {
    signal?.throwIfAborted();
    if (deleteFileOlder(file, before) !== null) removed++;
  }
  return removed;
}

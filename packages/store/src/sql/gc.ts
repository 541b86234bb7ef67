/**
 * Removing what nothing refers to any more.
 *
 * Bytes go only inside a write transaction that has just seen that nobody refers to them, and only when both the
 * database and the file say that they have been free for the whole grace period. A put that finishes at that very
 * moment finds its bytes gone after it has made its reference, and writes them once more (`BlobFolder.putWith`).
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { BlobRef } from "@cairn/timeline";
import type { KeptBlobs } from "../contract/kept-blobs.ts";
import type { GcReport } from "../contract/store-maintenance.ts";
import { deleteFileOlder, tenantFolder } from "../fs/blob-folder.ts";
import { dropReference, isReferenced } from "./references.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { discardStaged, removeConversation } from "./staging.ts";
import type { Work } from "./work.ts";

const PIECE = 200;

export async function collectGarbage(
  db: SqlDatabase,
  blobs: KeptBlobs,
  now: number,
  graceMs: number,
  signal?: AbortSignal,
): Promise<GcReport> {
  const before = now - graceMs;
  const halves = await removeHalves(db, now, before, signal);
  const references = await dropUnusedReferences(db, now, before, signal);
  const freed = await removeFreeBlobs(db, blobs, before, signal);
  const strays = await removeStrays(db, blobs, before, signal);
  const temporary = await removeTemporary(blobs, before, signal);
  return {
    blobs: freed.blobs + strays.blobs,
    bytes: freed.bytes + strays.bytes,
    references,
    leftovers: halves + temporary,
  };
}

/** Deletions that were begun are finished; imports and forks nobody has touched for the grace period are undone. */
async function removeHalves(db: SqlDatabase, now: number, before: number, signal?: AbortSignal): Promise<number> {
  const rows = await db.read(
    () =>
      db.all<{ id: number; stage: number }>(
        "SELECT id, stage FROM conversations WHERE stage = 2 OR (stage = 1 AND staged_at <= ?)",
        before,
      ),
    signal,
  );
  let removed = 0;
  for (const { id, stage } of rows) {
    signal?.throwIfAborted();
    if (stage === 2) await removeConversation(db, id, now);
    else if (!(await discardStaged(db, id, now, before))) continue;
    removed++;
  }
  return removed;
}

const UNUSED = `SELECT r.conversation, r.hash FROM refs r JOIN conversations c ON c.id = r.conversation
WHERE r.used_seq = 0 AND r.created_at <= ? AND c.stage = 0`;
/** One that is about to be used is passed over. */
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
  before: number,
  signal?: AbortSignal,
): Promise<Freed> {
  const freed: Freed = { blobs: 0, bytes: 0 };
  for (let more = true; more; ) {
    const piece = await db.write(() => removePiece(db, blobs, before), signal);
    more = piece.rows === PIECE;
    freed.blobs += piece.blobs;
    freed.bytes += piece.bytes;
    await yieldToOthers();
  }
  return freed;
}

const FREE = "SELECT tenant, hash FROM blobs WHERE free_since <= ? LIMIT ?";
const FREE_AND_LOCKED = { sqlite: FREE, postgres: `${FREE} FOR UPDATE SKIP LOCKED` };

/** Bytes may be removed by a service that takes its time: what this transaction has seen must hold until they are gone. */
const TAKE_TIME = { sqlite: "SELECT 1", postgres: "SET LOCAL idle_in_transaction_session_timeout = 120000" };

function* removePiece(db: SqlDatabase, blobs: KeptBlobs, before: number): Work<Freed & { readonly rows: number }> {
  yield* db.run(TAKE_TIME);
  const rows = yield* db.all<{ tenant: string; hash: BlobRef }>(FREE_AND_LOCKED, before, PIECE);
  const freed: Freed = { blobs: 0, bytes: 0 };
  for (const { tenant, hash } of rows) {
    if (yield* isReferenced(db, tenant, hash)) {
      yield* db.run("UPDATE blobs SET free_since = NULL WHERE tenant = ? AND hash = ?", tenant, hash);
      continue;
    }
    yield* db.run("DELETE FROM blobs WHERE tenant = ? AND hash = ?", tenant, hash);
    const size = yield* db.perform(() => blobs.discard(tenant, hash, before));
    if (size === null) continue;
    freed.blobs++;
    freed.bytes += size;
  }
  return { ...freed, rows: rows.length };
}

/** Bytes whose put never got as far as a reference. */
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

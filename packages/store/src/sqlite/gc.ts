/**
 * Removing what nothing refers to any more.
 *
 * Bytes go only inside a write transaction that has just seen that nobody refers to them, and only when both the
 * database and the file say that they have been free for the whole grace period. A put that finishes at that very
 * moment finds its bytes gone after it has made its reference, and writes them once more (`BlobFolder.putWith`).
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { BlobRef } from "@cairn/timeline";
import type { GcReport } from "../contract/store-maintenance.ts";
import { type BlobFolder, deleteFileOlder, tenantFolder } from "../fs/blob-folder.ts";
import type { Database } from "./database.ts";
import { dropReference, isReferenced } from "./references.ts";
import { discardStaged, removeConversation } from "./staging.ts";

const PIECE = 200;

export async function collectGarbage(
  db: Database,
  blobs: BlobFolder,
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
async function removeHalves(db: Database, now: number, before: number, signal?: AbortSignal): Promise<number> {
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

async function dropUnusedReferences(db: Database, now: number, before: number, signal?: AbortSignal): Promise<number> {
  return db.write(() => {
    const rows = db.all<{ conversation: number; hash: string }>(
      `SELECT r.conversation, r.hash FROM refs r JOIN conversations c ON c.id = r.conversation
        WHERE r.used_seq = 0 AND r.created_at <= ? AND c.stage = 0`,
      before,
    );
    for (const { conversation, hash } of rows) dropReference(db, conversation, hash, now);
    return rows.length;
  }, signal);
}

interface Freed {
  blobs: number;
  bytes: number;
}

async function removeFreeBlobs(db: Database, blobs: BlobFolder, before: number, signal?: AbortSignal): Promise<Freed> {
  const freed: Freed = { blobs: 0, bytes: 0 };
  for (let more = true; more; ) {
    more = await db.write(() => {
      const rows = db.all<{ tenant: string; hash: BlobRef }>(
        "SELECT tenant, hash FROM blobs WHERE free_since <= ? LIMIT ?",
        before,
        PIECE,
      );
      for (const { tenant, hash } of rows) {
        db.run("DELETE FROM blobs WHERE tenant = ? AND hash = ?", tenant, hash);
        if (isReferenced(db, tenant, hash)) continue;
        const size = blobs.deleteOlder(tenant, hash, before);
        if (size === null) continue;
        freed.blobs++;
        freed.bytes += size;
      }
      return rows.length === PIECE;
    }, signal);
    await yieldToOthers();
  }
  return freed;
}

/** Bytes whose put never got as far as a reference. */
async function removeStrays(db: Database, blobs: BlobFolder, before: number, signal?: AbortSignal): Promise<Freed> {
  const freed: Freed = { blobs: 0, bytes: 0 };
  const known = await db.read(
    () =>
      new Map(
        db
          .all<{ tenant: string }>("SELECT DISTINCT tenant FROM scopes")
          .map(({ tenant }) => [tenantFolder(tenant), tenant]),
      ),
    signal,
  );
  for await (const { tenantFolder: folder, ref, file } of blobs.files()) {
    signal?.throwIfAborted();
    const tenant = known.get(folder);
    const isKnown = () =>
      tenant !== undefined && db.get("SELECT 1 FROM blobs WHERE tenant = ? AND hash = ?", tenant, ref) !== undefined;
    if (await db.read(isKnown, signal)) continue;
    const size = await db.write(() => (isKnown() ? null : deleteFileOlder(file, before)), signal);
    if (size === null) continue;
    freed.blobs++;
    freed.bytes += size;
  }
  return freed;
}

async function removeTemporary(blobs: BlobFolder, before: number, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  for await (const file of blobs.temporaryFiles()) {
    signal?.throwIfAborted();
    if (deleteFileOlder(file, before) !== null) removed++;
  }
  return removed;
}

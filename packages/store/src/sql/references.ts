/**
 * References: which conversation may read which bytes. A reference is made when bytes are put into a conversation, and
 * marked as used by the first event that names them. A blob without references is free; `gc` removes its bytes an hour
 * later.
 */
import { type BlobRef, CairnError } from "@cairn/timeline";
import type { BlobInfo, BlobStore } from "../contract/blob-store.ts";
import { storeError } from "../contract/errors.ts";
import type { ConversationKey } from "../contract/scope.ts";
import { LOCK_BLOB, refuseLeaving } from "./leaving-blobs.ts";
import type { Lined } from "./lineage.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

export interface RefRow {
  readonly hash: BlobRef;
  readonly size: number;
  readonly used_seq: number;
}

/** Must run inside `onceLeft`, because the bytes may just be being removed. */
export function* addReference(
  db: SqlDatabase,
  conversation: number,
  tenant: string,
  blob: BlobInfo,
  now: number,
): Work<void> {
  yield* refuseLeaving(db, tenant, blob.ref, now);
  yield* db.run(
    `INSERT INTO blobs (tenant, hash, size, free_since) VALUES (?, ?, ?, NULL)
      ON CONFLICT (tenant, hash) DO UPDATE SET free_since = NULL, size = excluded.size`,
    tenant,
    blob.ref,
    blob.size,
  );
  yield* db.run(
    `INSERT INTO refs (conversation, hash, size, created_at, used_seq) VALUES (?, ?, ?, ?, 0)
      ON CONFLICT (conversation, hash) DO UPDATE SET created_at = excluded.created_at`,
    conversation,
    blob.ref,
    blob.size,
    now,
  );
}

const FIND_REF = "SELECT hash, size, used_seq FROM refs WHERE conversation = ? AND hash = ?";
const LOCK_REF = { sqlite: FIND_REF, postgres: `${FIND_REF} FOR UPDATE` };

export function* findReference(db: SqlDatabase, row: Lined, ref: BlobRef): Work<RefRow | null> {
  return (yield* db.get<RefRow>(FIND_REF, row.id, ref)) ?? (yield* inheritedReference(db, row, ref));
}

/** The bytes of a blob that a conversation has. Throws `blob_missing` if the blob store lost them. */
export async function* readBytes(
  blobs: BlobStore,
  { tenant }: ConversationKey,
  ref: BlobRef,
  options: Parameters<BlobStore["get"]>[2],
) {
  try {
    yield* blobs.get(tenant, ref, options);
  } catch (error) {
    if (!CairnError.is(error) || error.code !== "not_found") throw error;
    throw storeError("blob_missing", `The bytes of blob ${ref} are missing. Restore them from a backup.`, {
      blob: ref,
    });
  }
}

/** The references of a conversation whose events name them, in the order of these events. */
export function* usedReferences(db: SqlDatabase, row: Lined): Work<RefRow[]> {
  const own = "SELECT hash, size, used_seq FROM refs WHERE conversation = ? AND used_seq > 0 ORDER BY used_seq, hash";
  const all = `SELECT hash, min(size) AS size, min(used_seq) AS used_seq FROM ${INHERITED} GROUP BY hash
    ORDER BY min(used_seq), hash`;
  return yield* db.all<RefRow>(row.parent === null ? own : all, row.id);
}

/** A branch may read all bytes that its events name, even if another conversation stored them. */
const INHERITED = `lineage l JOIN refs r ON r.conversation = l.part AND r.used_seq BETWEEN 1 AND l.upto
WHERE l.conversation = ?`;
const FIND_INHERITED = `SELECT hash, size, used_seq FROM ${INHERITED} AND hash = ? ORDER BY used_seq LIMIT 1`;

function* inheritedReference(db: SqlDatabase, { id, parent }: Lined, ref: BlobRef): Work<RefRow | null> {
  return parent === null ? null : ((yield* db.get<RefRow>(FIND_INHERITED, id, ref)) ?? null);
}

/** Throws `blob_missing` when the conversation has no reference to one of the blobs. */
export function* markBlobsUsed(db: SqlDatabase, row: Lined, blobs: readonly BlobRef[], seq: number): Work<void> {
  for (const blob of blobs) {
    // Locks the reference, so that `gc` does not drop it as unused at the same moment.
    const reference = yield* db.get<RefRow>(LOCK_REF, row.id, blob);
    if (reference === undefined && (yield* inheritedReference(db, row, blob)) !== null) continue;
    if (reference === undefined)
      throw storeError(
        "blob_missing",
        `An event refers to blob ${blob}, which is not stored in this conversation. Store it with putBlob before the event.`,
        { blob },
      );
    if (reference.used_seq === 0)
      yield* db.run("UPDATE refs SET used_seq = ? WHERE conversation = ? AND hash = ?", seq, row.id, blob);
  }
}

/** Bytes that were put into `from` for the first message of a branch belong to the branch as well. */
export function* handOver(
  db: SqlDatabase,
  from: Lined,
  to: number,
  blobs: readonly BlobRef[],
  now: number,
): Work<void> {
  for (const blob of blobs) {
    const reference = yield* db.get<RefRow>(LOCK_REF, from.id, blob);
    if (reference !== undefined)
      yield* db.run(
        "INSERT INTO refs (conversation, hash, size, created_at, used_seq) VALUES (?, ?, ?, ?, 0) ON CONFLICT DO NOTHING",
        ...[to, blob, reference.size, now],
      );
  }
}

/** A fork may read the blobs that its events name. */
export function* shareReferences(db: SqlDatabase, from: Lined, to: number, upToSeq: number, now: number): Work<void> {
  for (const { hash, size, used_seq } of yield* usedReferences(db, from))
    if (used_seq <= upToSeq)
      yield* db.run(
        "INSERT INTO refs (conversation, hash, size, created_at, used_seq) VALUES (?, ?, ?, ?, 0)",
        ...[to, hash, size, now],
      );
}

/** Records bytes that are about to be written, as free until a reference is made. Must run inside `onceLeft`. */
export function* announceBlob(db: SqlDatabase, tenant: string, blob: BlobInfo, now: number): Work<void> {
  yield* refuseLeaving(db, tenant, blob.ref, now);
  yield* db.run(
    `INSERT INTO blobs (tenant, hash, size, free_since) VALUES (?, ?, ?, ?) ON CONFLICT (tenant, hash) DO UPDATE
      SET free_since = CASE WHEN blobs.free_since IS NULL THEN NULL ELSE excluded.free_since END`,
    tenant,
    blob.ref,
    blob.size,
    now,
  );
}

const TENANT_OF = "SELECT s.tenant FROM conversations c JOIN scopes s ON s.id = c.scope WHERE c.id = ?";

function* tenantOf(db: SqlDatabase, conversation: number): Work<string> {
  return (yield* db.get<{ tenant: string }>(TENANT_OF, conversation))?.tenant ?? "";
}

/** Removes one reference. Frees the blob if it was the tenant's last one. */
export function* dropReference(db: SqlDatabase, conversation: number, hash: string, now: number): Work<void> {
  const tenant = yield* tenantOf(db, conversation);
  yield* db.get(LOCK_BLOB, tenant, hash);
  yield* db.run("DELETE FROM refs WHERE conversation = ? AND hash = ?", conversation, hash);
  if (!(yield* isReferenced(db, tenant, hash)))
    yield* db.run(
      "UPDATE blobs SET free_since = ? WHERE tenant = ? AND hash = ? AND free_since IS NULL",
      now,
      tenant,
      hash,
    );
}

export function* isReferenced(db: SqlDatabase, tenant: string, hash: string): Work<boolean> {
  return (
    (yield* db.get(
      `SELECT 1 FROM refs r JOIN conversations c ON c.id = r.conversation JOIN scopes s ON s.id = c.scope
        WHERE r.hash = ? AND s.tenant = ? LIMIT 1`,
      hash,
      tenant,
    )) !== undefined
  );
}

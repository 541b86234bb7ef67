/**
 * Which conversation may read which bytes. A reference is made when bytes are put into a conversation and is marked as
 * used by the first event that names them. A blob whose last reference goes is free from that moment on; `gc` takes its
 * bytes an hour later.
 */
import type { BlobRef } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import type { Database } from "./database.ts";

export interface RefRow {
  readonly hash: BlobRef;
  readonly size: number;
  readonly used_seq: number;
}

export function addReference(
  db: Database,
  conversation: number,
  tenant: string,
  blob: { readonly ref: BlobRef; readonly size: number },
  now: number,
): void {
  db.run(
    `INSERT INTO blobs (tenant, hash, size, free_since) VALUES (?, ?, ?, NULL)
      ON CONFLICT DO UPDATE SET free_since = NULL, size = excluded.size`,
    tenant,
    blob.ref,
    blob.size,
  );
  db.run(
    `INSERT INTO refs (conversation, hash, size, created_at, used_seq) VALUES (?, ?, ?, ?, 0)
      ON CONFLICT DO UPDATE SET created_at = excluded.created_at`,
    conversation,
    blob.ref,
    blob.size,
    now,
  );
}

export function findReference(db: Database, conversation: number, ref: BlobRef): RefRow | null {
  return (
    db.get<RefRow>("SELECT hash, size, used_seq FROM refs WHERE conversation = ? AND hash = ?", conversation, ref) ??
    null
  );
}

/** Throws `blob_missing` when the conversation has no reference to one of them. */
export function markBlobsUsed(db: Database, conversation: number, blobs: readonly BlobRef[], seq: number): void {
  for (const blob of blobs) {
    const reference = findReference(db, conversation, blob);
    if (reference === null)
      throw storeError("blob_missing", `An event names ${blob}, which was not put into this conversation.`, { blob });
    if (reference.used_seq === 0)
      db.run("UPDATE refs SET used_seq = ? WHERE conversation = ? AND hash = ?", seq, conversation, blob);
  }
}

/** A fork may read what its events name. */
export function shareReferences(db: Database, from: number, to: number, upToSeq: number, now: number): void {
  db.run(
    `INSERT INTO refs (conversation, hash, size, created_at, used_seq)
      SELECT ?, hash, size, ?, 0 FROM refs WHERE conversation = ? AND used_seq BETWEEN 1 AND ?`,
    to,
    now,
    from,
    upToSeq,
  );
}

const TENANT_OF = "SELECT s.tenant FROM conversations c JOIN scopes s ON s.id = c.scope WHERE c.id = ?";

function tenantOf(db: Database, conversation: number): string {
  return db.get<{ tenant: string }>(TENANT_OF, conversation)?.tenant ?? "";
}

/** Removes one reference and frees the blob when it was the tenant's last. */
export function dropReference(db: Database, conversation: number, hash: string, now: number): void {
  const tenant = tenantOf(db, conversation);
  db.run("DELETE FROM refs WHERE conversation = ? AND hash = ?", conversation, hash);
  if (!isReferenced(db, tenant, hash))
    db.run("UPDATE blobs SET free_since = ? WHERE tenant = ? AND hash = ? AND free_since IS NULL", now, tenant, hash);
}

export function isReferenced(db: Database, tenant: string, hash: string): boolean {
  return (
    db.get(
      `SELECT 1 FROM refs r JOIN conversations c ON c.id = r.conversation JOIN scopes s ON s.id = c.scope
        WHERE r.hash = ? AND s.tenant = ? LIMIT 1`,
      hash,
      tenant,
    ) !== undefined
  );
}

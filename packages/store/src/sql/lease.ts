/**
 * Leases: one writer at a time. Tokens come from one counter for the whole database and only grow, even when a
 * conversation is deleted and created again, so an old token never becomes valid again.
 *
 * The clock only decides when another writer may take a lease. If a clock runs fast, the lease is taken early, and the
 * old holder's token is rejected at its next append. If a clock was set back, nobody could take the lease until it has
 * caught up. So a lease with more than twice its duration left counts as expired.
 */
import { storeError } from "../contract/errors.ts";
import type { Lease } from "../contract/records.ts";
import { type ConversationKey, checkPart } from "../contract/scope.ts";
import { type ConversationRow, lockConversation } from "./conversations.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

const MAX_TTL_MS = 86_400_000;

const NEXT_TOKEN = {
  sqlite: "UPDATE counters SET value = value + 1 WHERE name = 'lease_token' RETURNING value",
  postgres: "SELECT nextval('lease_tokens') AS value",
};

export function* acquireLease(
  db: SqlDatabase,
  key: ConversationKey,
  holder: string,
  ttlMs: number,
  now: number,
): Work<Lease> {
  checkPart("holder", holder);
  checkTtl(ttlMs);
  const row = yield* lockConversation(db, key);
  if (heldMs(row, now) > 0)
    throw storeError(
      "lease_held",
      `${row.lease_holder} is writing to this conversation. Try again when it has finished.`,
      { holder: row.lease_holder, expires_at: row.lease_expires_at },
    );
  const token = (yield* db.get<{ value: number }>(NEXT_TOKEN))?.value;
  if (token === undefined)
    throw storeError("corrupt", "The counter of lease tokens is missing. Run cairn doctor to check the store.");
  return yield* grant(db, row, token, holder, ttlMs, now);
}

type LeaseColumns = Pick<ConversationRow, "lease_holder" | "lease_expires_at" | "lease_ttl_ms">;

/** Milliseconds until the lease expires; 0 when it may be taken. */
export function heldMs(row: LeaseColumns, now: number): number {
  if (row.lease_holder === null || row.lease_expires_at === null) return 0;
  const left = row.lease_expires_at - now;
  return left > 0 && left <= 2 * (row.lease_ttl_ms ?? MAX_TTL_MS) ? left : 0;
}

export function* renewLease(
  db: SqlDatabase,
  key: ConversationKey,
  token: number,
  ttlMs: number,
  now: number,
): Work<Lease> {
  checkTtl(ttlMs);
  const row = yield* lockConversation(db, key);
  requireToken(row, token);
  return yield* grant(db, row, token, row.lease_holder ?? "", ttlMs, now);
}

export function* releaseLease(db: SqlDatabase, key: ConversationKey, token: number): Work<void> {
  const row = yield* lockConversation(db, key);
  yield* db.run(
    "UPDATE conversations SET lease_holder = NULL, lease_expires_at = NULL WHERE id = ? AND lease_token = ?",
    row.id,
    token,
  );
}

export function requireToken(row: ConversationRow, token: number): void {
  if (row.lease_holder === null || row.lease_token !== token)
    throw storeError("lease_lost", "The lease was released, or another writer now holds it. Stop writing.", {
      token,
      current: row.lease_token,
    });
}

function* grant(
  db: SqlDatabase,
  row: ConversationRow,
  token: number,
  holder: string,
  ttlMs: number,
  now: number,
): Work<Lease> {
  const expiresAt = now + ttlMs;
  yield* db.run(
    "UPDATE conversations SET lease_token = ?, lease_holder = ?, lease_expires_at = ?, lease_ttl_ms = ? WHERE id = ?",
    token,
    holder,
    expiresAt,
    ttlMs,
    row.id,
  );
  return { token, holder, expires_at: expiresAt, last_timeline_seq: row.last_timeline_seq };
}

function checkTtl(ttlMs: number): void {
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 1 || ttlMs > MAX_TTL_MS)
    throw storeError("bad_argument", `A lease must last 1 to ${MAX_TTL_MS} milliseconds.`, { ttlMs });
}

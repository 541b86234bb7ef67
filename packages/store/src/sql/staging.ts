/**
 * Conversations that are written or removed over several transactions, and are invisible until then.
 *
 * A fork or an import fills a staged conversation piece by piece, so that it needs little memory and holds the write
 * lock only briefly, and publishes it in one step. Deleting hides the conversation in one step and then removes its
 * rows piece by piece. `gc` finishes what a crash leaves incomplete.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { storeError } from "../contract/errors.ts";
import type { ConversationKey } from "../contract/scope.ts";
import { writeEvent } from "./append.ts";
import {
  type ConversationRow,
  conversationById,
  insertConversation,
  lockById,
  lockWithTree,
  type NewConversation,
  refuseTaken,
} from "./conversations.ts";
import { DerivedWriter } from "./derived-writer.ts";
import type { PreparedEvent } from "./event-row.ts";
import { dropReference } from "./references.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { hideConversation, trimKept } from "./tree.ts";
import type { Work } from "./work.ts";

export interface StagedEvent {
  readonly prepared: PreparedEvent;
  readonly batch_end: number;
  readonly stored_at: number;
}

/** Rows per transaction: a few milliseconds of work. */
const PIECE = 500;

export async function stageConversation(
  db: SqlDatabase,
  key: ConversationKey,
  made: NewConversation & { readonly stagedAt: number },
  signal?: AbortSignal,
): Promise<ConversationRow> {
  return db.write(function* () {
    yield* refuseTaken(db, key);
    return yield* insertConversation(db, { ...key, conversation: `staged ${randomUUID()}` }, made);
  }, signal);
}

/** Writes events of an import. Runs inside a write transaction. */
export function* addStagedEvents(db: SqlDatabase, id: number, events: readonly StagedEvent[], now: number): Work<void> {
  const row = yield* requireStaged(db, id);
  const derived = new DerivedWriter(db, row);
  for (const { prepared, batch_end, stored_at } of events)
    yield* writeEvent(db, row, derived, prepared, batch_end, stored_at);
  yield* derived.finish();
  yield* touchStaged(db, id, now);
}

/** Inside a write transaction: records activity, so that `gc` leaves the staged conversation alone. */
export function* touchStaged(db: SqlDatabase, id: number, now: number): Work<void> {
  yield* requireStaged(db, id);
  yield* db.run("UPDATE conversations SET staged_at = ? WHERE id = ?", now, id);
}

function* requireStaged(db: SqlDatabase, id: number): Work<ConversationRow> {
  return stillStaged(yield* lockById(db, id));
}

/** Throws if the row is gone: `gc` removes a staged conversation of a process that was paused for too long. */
export function stillStaged(row: ConversationRow | null): ConversationRow {
  if (row === null || row.stage !== 1)
    throw storeError(
      "busy",
      "The import or fork took too long and was cleaned up before it finished. Nothing was saved; try again.",
    );
  return row;
}

/** Inside a write transaction: makes a staged conversation visible under its name. */
export function* publishConversation(
  db: SqlDatabase,
  key: ConversationKey,
  id: number,
  lastActivityAt: number,
  isListed = true,
): Work<ConversationRow> {
  yield* refuseTaken(db, key);
  yield* requireStaged(db, id);
  yield* db.run(
    `UPDATE conversations SET conversation = ?, stage = 0, staged_at = NULL, last_activity_at = ?, unlisted = ?
      WHERE id = ?`,
    ...[key.conversation, lastActivityAt, isListed ? 0 : 1, id],
  );
  const row = yield* conversationById(db, id);
  if (row === null) throw new Error("The conversation was deleted while its import or fork was being completed.");
  return row;
}

/** Inside a write transaction: leaves the staged conversation invisible, because only branches need it. */
export function* keepForBranches(db: SqlDatabase, id: number, now: number): Work<void> {
  yield* requireStaged(db, id);
  yield* db.run("UPDATE conversations SET stage = 3, staged_at = ?, unlisted = 1 WHERE id = ?", now, id);
}

const BY_CONVERSATION = [
  "inputs",
  "pending",
  "paths",
  "turns",
  "late_blocks",
  "pool",
  "streams",
  "snapshots",
  "artifacts",
  "lineage",
] as const;

/**
 * Removes every row of a hidden conversation, indexed words first. If branches read it, the rows that they need stay.
 * Then the same is done for deleted conversations that only this one needed. The function may be repeated, and run by
 * two processes at once.
 */
export async function removeConversation(db: SqlDatabase, id: number, now: number): Promise<void> {
  for (let next: number | null = id; next !== null; ) {
    const row = await db.read(() => conversationById(db, next ?? 0));
    if (row === null || row.stage === 0 || row.stage === 1) return;
    if (row.stage === 3 && !(await trimKept(db, next, now))) return;
    await removeRows(db, next, now);
    next = row.parent;
  }
}

async function removeRows(db: SqlDatabase, id: number, now: number): Promise<void> {
  await db.write(function* () {
    const row = yield* conversationById(db, id);
    if (row !== null) yield* db.texts.forget(row);
  });
  let found = PIECE;
  while (found === PIECE) {
    found = await db.write(() => removePiece(db, id));
    await yieldToOthers();
  }
  await db.write(function* () {
    for (const table of BY_CONVERSATION) yield* db.run(`DELETE FROM ${table} WHERE conversation = ?`, id);
    for (const { hash } of yield* db.all<{ hash: string }>("SELECT hash FROM refs WHERE conversation = ?", id))
      yield* dropReference(db, id, hash, now);
    yield* db.run("DELETE FROM conversations WHERE id = ?", id);
  });
}

function* removePiece(db: SqlDatabase, id: number): Work<number> {
  const rows = yield* db.all<{ id: number }>("SELECT id FROM events WHERE conversation = ? LIMIT ?", id, PIECE);
  for (const row of rows) yield* db.run("DELETE FROM events WHERE id = ?", row.id);
  return rows.length;
}

/** Undoes a staged conversation, unless it was published or touched since `before`. */
export async function discardStaged(
  db: SqlDatabase,
  id: number,
  now: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  const isStale = await db.write(function* () {
    const row = yield* lockWithTree(db, id);
    const stale = row !== null && row.stage === 1 && (row.staged_at ?? 0) <= before;
    if (stale) yield* hideConversation(db, row, now);
    return stale;
  });
  if (isStale) await removeConversation(db, id, now);
  return isStale;
}

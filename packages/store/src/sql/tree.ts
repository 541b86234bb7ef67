/**
 * The tree of a conversation and its branches. Lists show one conversation of each tree: the one that was created or
 * shown last.
 *
 * A conversation that is deleted while branches read its events becomes invisible and keeps only these events. The
 * conversation is removed with the last of these branches.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { Page, PageOptions } from "../contract/call-options.ts";
import type { ConversationInfo, TurnVersions } from "../contract/records.ts";
import { type ConversationRow, describeConversation, lockById } from "./conversations.ts";
import { decodeCursor, encodeCursor, pageLimit } from "./paging.ts";
import { dropReference } from "./references.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { turnVersions } from "./turn-versions.ts";
import type { Work } from "./work.ts";

const IN_TREE = "(id = ? OR tree = ?)";

/**
 * Inside a write transaction that locked the tree: lists `id` for its tree from now on, with the time of the last
 * activity of the conversation listed before.
 */
export function* listInstead(db: SqlDatabase, id: number, tree: number): Work<void> {
  const before = yield* db.all<{ id: number; last_activity_at: number }>(
    `SELECT id, last_activity_at FROM conversations WHERE ${IN_TREE} AND unlisted = 0 AND id <> ?`,
    ...[tree, tree, id],
  );
  for (const each of before) yield* db.run("UPDATE conversations SET unlisted = 1 WHERE id = ?", each.id);
  const active = Math.max(0, ...before.map((each) => each.last_activity_at));
  yield* db.run(
    `UPDATE conversations SET unlisted = 0,
      last_activity_at = CASE WHEN last_activity_at > ? THEN last_activity_at ELSE ? END WHERE id = ?`,
    ...[active, active, id],
  );
}

/** Inside a write transaction that locked the tree: lists the most recently active other conversation for the tree. */
function* listAnother(db: SqlDatabase, row: ConversationRow): Work<void> {
  const tree = row.tree ?? row.id;
  const other = yield* db.get<{ id: number }>(
    `SELECT id FROM conversations WHERE ${IN_TREE} AND stage = 0 AND id <> ?
      ORDER BY last_activity_at DESC, id DESC LIMIT 1`,
    ...[tree, tree, row.id],
  );
  if (other !== undefined) yield* db.run("UPDATE conversations SET unlisted = 0 WHERE id = ?", other.id);
}

export function* listBranches(
  db: SqlDatabase,
  row: ConversationRow,
  options: PageOptions,
): Work<Page<ConversationInfo>> {
  const limit = pageLimit(options.limit, 50);
  const [after = 0] = decodeCursor(options.cursor, 1) ?? [];
  const tree = row.tree ?? row.id;
  const rows = yield* db.all<ConversationRow>(
    `SELECT * FROM conversations WHERE ${IN_TREE} AND stage = 0 AND id > ? ORDER BY id LIMIT ?`,
    ...[tree, tree, after, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(describeConversation),
    next: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
  };
}

export function* listVersions(db: SqlDatabase, row: ConversationRow): Work<readonly TurnVersions[]> {
  const tree = row.tree ?? row.id;
  const members = yield* db.all<ConversationRow>(
    `SELECT id, parent, conversation, stage, cut_turns, turns, last_activity_at FROM conversations
      WHERE ${IN_TREE} AND stage IN (0, 3) ORDER BY id`,
    ...[tree, tree],
  );
  return turnVersions(
    members.map(({ id, parent, conversation, stage, cut_turns, turns, last_activity_at }) => ({
      id,
      parent,
      sharedTurns: cut_turns,
      turns,
      activeAt: last_activity_at,
      name: stage === 0 ? conversation : null,
    })),
    row.id,
  );
}

/** Every conversation of a tree, the last one first, so that branches come before what they need. */
export function* treeOf(db: SqlDatabase, row: ConversationRow): Work<ConversationRow[]> {
  const tree = row.tree ?? row.id;
  return yield* db.all<ConversationRow>(
    `SELECT * FROM conversations WHERE ${IN_TREE} AND stage IN (0, 3) ORDER BY id DESC`,
    ...[tree, tree],
  );
}

/**
 * Inside a write transaction that locked the tree: from now on the conversation is not found, and its name is free
 * again. If branches need the conversation, its row stays, with `stage` 3. Without the lock, a branch could be added
 * after the check and lose the events that it shares.
 */
export function* hideConversation(db: SqlDatabase, row: ConversationRow, now: number): Work<void> {
  const { id } = row;
  yield* db.run(
    `UPDATE conversations SET stage = ?, staged_at = ?, conversation = ?, lease_holder = NULL, unlisted = 1
      WHERE id = ?`,
    ...[(yield* hasBranches(db, id)) ? 3 : 2, now, `deleted ${randomUUID()}`, id],
  );
  if (row.unlisted === 0) yield* listAnother(db, row);
}

function* hasBranches(db: SqlDatabase, id: number): Work<boolean> {
  return (yield* db.get("SELECT 1 FROM conversations WHERE parent = ? AND stage <> 2 LIMIT 1", id)) !== undefined;
}

const NEEDED = "SELECT max(cut) AS cut FROM conversations WHERE parent = ?";
const AFTER = ["inputs", "paths", "late_blocks", "pool", "snapshots", "artifacts"] as const;

/** Rows per transaction: a few milliseconds of work. */
const PIECE = 500;

/**
 * Removes what no branch needs from a deleted conversation that branches read. Returns true when no branch is left, so
 * that the whole conversation can be removed. May be repeated.
 */
export async function trimKept(db: SqlDatabase, id: number, now: number): Promise<boolean> {
  const isFree = await db.write(() => trimIndexes(db, id, now));
  if (isFree) return true;
  for (let found = PIECE; found === PIECE; await yieldToOthers()) found = await db.write(() => trimEvents(db, id));
  return false;
}

function* trimIndexes(db: SqlDatabase, id: number, now: number): Work<boolean> {
  const row = yield* lockById(db, id);
  if (row === null || row.stage !== 3) return false;
  const needed = (yield* db.get<{ cut: number | null }>(NEEDED, id))?.cut ?? null;
  if (needed === null) {
    yield* db.run("UPDATE conversations SET stage = 2 WHERE id = ?", id);
    return true;
  }
  yield* db.run("DELETE FROM pending WHERE conversation = ?", id);
  yield* db.run("DELETE FROM streams WHERE conversation = ?", id);
  for (const table of AFTER) yield* db.run(`DELETE FROM ${table} WHERE conversation = ? AND seq > ?`, id, needed);
  yield* db.run("DELETE FROM turns WHERE conversation = ? AND opened_seq > ?", id, needed);
  const unneeded = "SELECT hash FROM refs WHERE conversation = ? AND (used_seq = 0 OR used_seq > ?)";
  for (const { hash } of yield* db.all<{ hash: string }>(unneeded, id, needed)) yield* dropReference(db, id, hash, now);
  // If the cut is at the last event, no event is removed, but later artifacts and uploads are.
  if (row.last_seq <= needed) return false;
  yield* db.run(
    "UPDATE conversations SET last_seq = ?, kept_seq = ?, title = NULL, current_turn = NULL WHERE id = ?",
    ...[needed, needed, id],
  );
  yield* db.texts.reindex(row);
  return false;
}

function* trimEvents(db: SqlDatabase, id: number): Work<number> {
  const row = yield* lockById(db, id);
  if (row === null || row.stage !== 3) return 0;
  const rows = yield* db.all<{ id: number; body: string }>(
    "SELECT id, body FROM events WHERE conversation = ? AND seq > ? LIMIT ?",
    ...[id, row.last_seq, PIECE],
  );
  for (const event of rows) yield* db.run("DELETE FROM events WHERE id = ?", event.id);
  const chars = rows.reduce((sum, { body }) => sum + body.length, 0);
  if (chars > 0)
    yield* db.run("UPDATE conversations SET stored_chars = ? WHERE id = ?", Math.max(0, row.stored_chars - chars), id);
  return rows.length;
}

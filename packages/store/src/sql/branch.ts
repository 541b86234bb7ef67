/**
 * Branches: a branch is a row of its own whose journal begins with events of its parent (`lineage.ts`). Nothing of the
 * parent is copied except what was unfinished at the cut: waiting messages, and turns that changed later.
 *
 * The parent of a branch is the conversation that has the event at the cut. If the cut is in the shared part of a
 * branch, the parent is an earlier part.
 */
import type { TimelineEvent } from "@cairn/timeline";
import type { CallOptions } from "../contract/call-options.ts";
import { storeError } from "../contract/errors.ts";
import type { LoadedConversation } from "../contract/records.ts";
import { type ConversationKey, checkConversationKey } from "../contract/scope.ts";
import { prepareEvents, writeBatch } from "./append.ts";
import {
  type ConversationRow,
  conversationById,
  insertConversation,
  lockById,
  lockConversationWithTree,
  refuseTaken,
  requireConversation,
} from "./conversations.ts";
import { decodeRow } from "./event-row.ts";
import { journalOf, OPEN_END, partsOf, turnsOf } from "./lineage.ts";
import { checkSeq } from "./paging.ts";
import { handOver } from "./references.ts";
import { settledAt } from "./settled-at.ts";
import { USABLE_SNAPSHOT } from "./snapshot-body.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { takeEvents } from "./take-events.ts";
import { fromColumn, toColumn } from "./text-column.ts";
import { listInstead } from "./tree.ts";
import { writeTurn } from "./turn-index.ts";
import { TURN_COLUMNS, type TurnRow } from "./turn-row.ts";
import type { Work } from "./work.ts";

export async function createBranch(
  db: SqlDatabase,
  key: ConversationKey,
  seq: number,
  target: string,
  now: number,
  { events = [], signal }: CallOptions & { readonly events?: readonly TimelineEvent[] },
): Promise<ConversationRow> {
  const first = prepareEvents(events);
  const targetKey = { ...key, conversation: target };
  checkConversationKey(targetKey);
  // A long journal is folded before the write transaction. Folding early is safe, because events never change.
  const { source, loaded } = await db.read(function* () {
    const row = yield* requireConversation(db, key);
    return { source: row.id, loaded: yield* settledAt(db, row, checkSeq("seq", seq)) };
  }, signal);
  return db.write(function* () {
    const from = yield* lockConversationWithTree(db, key);
    if (from.id !== source)
      throw storeError("not_found", "The conversation was deleted, and another one now has its id. Load it again.");
    yield* refuseTaken(db, targetKey);
    const root = from.forked_root ?? from.conversation;
    const made = yield* insertConversation(db, targetKey, {
      attributes: from.attributes,
      createdAt: now,
      forkedFrom: { conversation: from.conversation, seq, root },
    });
    yield* joinTree(db, from, made.id, seq);
    yield* beginBranch(db, made.id, loaded);
    yield* listInstead(db, made.id, from.tree ?? from.id);
    yield* handOver(
      db,
      from,
      made.id,
      first.flatMap(({ blobs }) => blobs),
      now,
    );
    const row = yield* conversationById(db, made.id);
    if (row !== null && first.length > 0) yield* writeBatch(db, row, first, now);
    return (yield* conversationById(db, made.id)) ?? made;
  }, signal);
}

/** Inside a write transaction: makes a conversation without events a branch of `from`. */
export function* joinTree(db: SqlDatabase, from: ConversationRow, id: number, seq: number): Work<void> {
  const all = yield* partsOf(db, from);
  const parts = all.filter((_, nth) => seq > (all[nth - 1]?.upto ?? 0));
  const parent = parts.at(-1)?.id ?? from.tree ?? from.id;
  const tree = from.tree ?? from.id;
  yield* lockById(db, parent);
  yield* db.run("UPDATE conversations SET kept_seq = ? WHERE id = ? AND kept_seq < ?", seq, parent, seq);
  yield* db.run("UPDATE conversations SET parent = ?, tree = ?, cut = ? WHERE id = ?", parent, tree, seq, id);
  for (const part of parts)
    yield* db.run(
      "INSERT INTO lineage (conversation, upto, part) VALUES (?, ?, ?)",
      ...[id, Math.min(part.upto, seq), part.id],
    );
  yield* db.run("INSERT INTO lineage (conversation, upto, part) VALUES (?, ?, ?)", id, OPEN_END, id);
}

/** Inside a write transaction: writes what a branch derives from its parent's events up to the cut (`loaded`). */
export function* beginBranch(db: SqlDatabase, id: number, { state, seq, timelineSeq }: LoadedConversation): Work<void> {
  const row = yield* conversationById(db, id);
  if (row === null) return;
  for (const turn of yield* turnsChangedLater(db, row)) yield* writeTurn(db, id, turn, "DO NOTHING");
  const last = yield* db.get<TurnRow>(
    `SELECT ${TURN_COLUMNS} FROM ${turnsOf(row)} ORDER BY ordinal DESC LIMIT 1`,
    ...[id],
  );
  for (const { key } of state.pendingInputs.values())
    yield* db.run(
      `INSERT INTO pending (conversation, key, seq) VALUES (?, ?, ?)`,
      ...[id, toColumn(key), yield* inputSeq(db, row, key)],
    );
  const { conversation_title: title } = state.meta;
  yield* db.run(
    `UPDATE conversations SET last_seq = ?, last_timeline_seq = ?, next_position = ?, title = ?, turns = ?,
      cut_turns = ?, current_turn = ?, indexed_seq = ?, tail_events = ? WHERE id = ?`,
    ...[seq, timelineSeq, state.nextPosition, title === null ? null : toColumn(title), last?.ordinal ?? 0],
    ...[last?.ordinal ?? 0, last?.closed_seq === null ? last.turn_id : null, seq],
    ...[seq - (yield* snapshotSeq(db, row)), id],
  );
}

function* inputSeq(db: SqlDatabase, row: ConversationRow, key: string): Work<number> {
  const sql = `SELECT seq FROM ${journalOf(row, "inputs")} AND kind = 'input.received' AND key = ?`;
  return (yield* db.get<{ seq: number }>(sql, row.id, toColumn(key)))?.seq ?? 0;
}

/** Seq of the last snapshot that a branch can use; 0 when there is none. */
function* snapshotSeq(db: SqlDatabase, row: ConversationRow): Work<number> {
  const sql = `SELECT max(seq) AS seq FROM ${journalOf(row, "snapshots")} AND ${USABLE_SNAPSHOT}`;
  return (yield* db.get<{ seq: number | null }>(sql, row.id))?.seq ?? 0;
}

/** Turns that were open at the cut or changed after it, as they were at the cut. */
function* turnsChangedLater(db: SqlDatabase, row: ConversationRow): Work<TurnRow[]> {
  const { id, cut } = row;
  const changed = yield* db.all<TurnRow>(
    `SELECT ${TURN_COLUMNS} FROM ${turnsOf(row)}
      AND (turns.last_seq > ? OR turns.closed_seq IS NULL OR turns.exit = 'released')`,
    ...[id, cut],
  );
  const turns: TurnRow[] = [];
  for (const turn of changed) turns.push(yield* turnAt(db, row, turn));
  return turns;
}

function* turnAt(db: SqlDatabase, row: ConversationRow, turn: TurnRow): Work<TurnRow> {
  const { opened_seq, ordinal, turn_id } = turn;
  const id = fromColumn(turn_id);
  const next = yield* db.get<{ opened_seq: number }>(
    `SELECT turns.opened_seq FROM ${turnsOf(row)} AND ordinal = ?`,
    ...[row.id, ordinal + 1],
  );
  const then: TurnRow = {
    ordinal,
    turn_id,
    opened_seq,
    last_seq: opened_seq,
    closed_seq: null,
    opened_at: null,
    closed_at: null,
    exit: null,
  };
  // A turn that is open when the next one begins ends there.
  const nextSeq = next?.opened_seq ?? OPEN_END;
  const span = { after: opened_seq - 1, upTo: row.cut, limit: row.cut - opened_seq + 1 };
  let isPast = false;
  yield* takeEvents(db, row, span, (each) => {
    if (each.seq >= nextSeq && !isPast) {
      isPast = true;
      if (then.closed_seq === null) then.last_seq = nextSeq - 1;
    }
    if (!TURN_KINDS.has(each.kind)) return;
    const event = decodeRow(each);
    if ("unknown" in event || !("turn_id" in event.body) || event.body.turn_id !== id) return;
    if (event.kind === "turn.opened") {
      then.opened_at ??= toColumn(event.body.ts);
      then.closed_seq = null;
    } else if (event.kind === "turn.closed") {
      Object.assign(then, { closed_seq: each.seq, last_seq: each.seq });
      Object.assign(then, { closed_at: toColumn(event.body.ts), exit: toColumn(event.body.exit) });
    } else if (event.kind === "turn.released" && then.exit === "quarantined") then.exit = "released";
  });
  return then;
}

const TURN_KINDS: ReadonlySet<string> = new Set(["turn.opened", "turn.closed", "turn.released"]);

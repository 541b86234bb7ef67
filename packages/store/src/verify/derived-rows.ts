/**
 * Data derived from a conversation's events: rows of six tables, and some columns of its own row. This file derives
 * them again from the journal, either to compare them with the stored ones or to replace them.
 *
 * Comparing and replacing use `DerivedWriter`, as every append does, so there is only one implementation. The rows of a
 * branch must be the same as if all its events were its own.
 */
import { DatabaseSync } from "node:sqlite";
import type { TimelineEvent } from "@cairn/timeline";
import { beginBranch } from "../sql/branch.ts";
import { type ConversationRow, conversationById, lockById } from "../sql/conversations.ts";
import { DerivedWriter } from "../sql/derived-writer.ts";
import { decodeRow } from "../sql/event-row.ts";
import { journalOf, OPEN_END, partsOf, turnsOf } from "../sql/lineage.ts";
import { loadState, missingEvent } from "../sql/load.ts";
import { runNow } from "../sql/run-now.ts";
import { lockScope } from "../sql/search/segment-rows.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import { pageOfEvents } from "../sql/take-events.ts";
import { TURN_COLUMNS } from "../sql/turn-row.ts";
import type { Work } from "../sql/work.ts";
import { Database } from "../sqlite/database.ts";
import { MIGRATIONS } from "../sqlite/schema.ts";

/** Derived tables, each with the columns that are computed from the journal. */
const TABLES = {
  inputs: "kind, key, seq",
  pending: "key, seq",
  paths: "rest, scheme, role, version, position, seq, call_id",
  turns: TURN_COLUMNS,
  late_blocks: "turn, seq",
  pool: "sid, seq",
} as const;
const COLUMNS = ["last_timeline_seq", "next_position", "turns", "current_turn", "title"] as const;
const TABLE_NAMES = Object.keys(TABLES) as (keyof typeof TABLES)[];
const PIECE = 500;

export interface Deviation {
  /** A table, or a column of the conversation's row. */
  readonly where: string;
  /** Number of rows that are missing, and of rows that should not exist. */
  readonly missing: number;
  readonly stray: number;
}

/** The empty database of the last check. The next check uses it, because making the tables takes milliseconds. */
let idle: Database | null = null;

/** Takes the events of one conversation in order, and then reports where the stored rows differ from them. */
export class DerivedRows {
  readonly #row: ConversationRow;
  /** A database in memory with the same schema for the derived rows, in a transaction that is rolled back. */
  readonly #scratch = idle ?? emptyDatabase();
  readonly #writer: DerivedWriter;

  constructor(row: ConversationRow) {
    this.#row = row;
    idle = null;
    this.#scratch.connection.exec("BEGIN");
    const scope = "INSERT INTO scopes (id, tenant, project, user) VALUES (?, 't', 'p', 'u')";
    const conversation = `INSERT INTO conversations (id, scope, conversation, attributes, created_at, last_activity_at)
      VALUES (?, ?, 'c', '{}', 0, 0)`;
    runNow(this.#scratch.run(scope, row.scope));
    runNow(this.#scratch.run(conversation, row.id, row.scope));
    this.#writer = new DerivedWriter(this.#scratch, { ...withoutDerived(row), parent: null, kept_seq: 0 });
  }

  add(event: TimelineEvent): void {
    runNow(this.#writer.add(event, 0, 0));
  }

  /** Inside a read transaction of `db`. */
  *deviations(db: SqlDatabase): Work<Deviation[]> {
    runNow(this.#writer.finish());
    const tables: Deviation[] = [];
    for (const table of TABLE_NAMES) tables.push(yield* this.#compareTable(db, table));
    const expected = runNow(conversationById(this.#scratch, this.#row.id));
    const actual = yield* conversationById(db, this.#row.id);
    const columns = COLUMNS.filter((column) => expected?.[column] !== actual?.[column]);
    return [
      ...tables.filter(({ missing, stray }) => missing + stray > 0),
      ...columns.map((column) => ({ where: `conversations.${column}`, missing: 1, stray: 1 })),
    ];
  }

  close(): void {
    // After some errors, SQLite has already rolled back.
    if (this.#scratch.connection.isTransaction) this.#scratch.connection.exec("ROLLBACK");
    if (idle === null) idle = this.#scratch;
    else this.#scratch.close();
  }

  *#compareTable(db: SqlDatabase, table: keyof typeof TABLES): Work<Deviation> {
    const { id } = this.#row;
    const columns = TABLES[table];
    const flat = `SELECT ${columns} FROM ${table} WHERE conversation = ?`;
    // Waiting messages are the only rows that a branch does not share.
    const shared = table === "turns" ? turnsOf(this.#row) : table === "pending" ? null : journalOf(this.#row, table);
    const texts = (rows: readonly object[]) => new Set(rows.map((row) => JSON.stringify(Object.values(row))));
    const expected = texts(runNow(this.#scratch.all<object>(flat, id)));
    const actual = texts(yield* db.all<object>(shared === null ? flat : `SELECT ${columns} FROM ${shared}`, id));
    return { where: table, missing: expected.difference(actual).size, stray: actual.difference(expected).size };
  }
}

function emptyDatabase(): Database {
  const database = new Database(new DatabaseSync(":memory:"), 0);
  for (const migration of MIGRATIONS) database.connection.exec(migration);
  return database;
}

/**
 * Inside a write transaction: replaces every derived row, including words and snapshots, with what the journal gives.
 * Throws `corrupt` and changes nothing when an event is damaged or missing.
 */
export function* rebuildConversation(db: SqlDatabase, id: number): Work<void> {
  const known = yield* conversationById(db, id);
  if (known === null) return;
  // The scope is locked before the conversation, as indexing does, so that the two cannot deadlock.
  yield* lockScope(db, known.scope);
  // Earlier parts of a branch are rebuilt first, because its rows build on theirs.
  for (const part of yield* partsOf(db, known)) yield* rebuildPart(db, part.id);
}

function* rebuildPart(db: SqlDatabase, id: number): Work<void> {
  const row = yield* lockById(db, id);
  if (row === null || (row.stage !== 0 && row.stage !== 3)) return;
  const newest = (yield* db.get<{ seq: number | null }>(
    "SELECT max(seq) AS seq FROM events WHERE conversation = ?",
    id,
  ))?.seq;
  const end = row.stage === 3 ? row.last_seq : Math.max(newest ?? 0, row.cut);
  if (Math.max(newest ?? 0, row.cut) < row.last_seq) throw missingEvent((newest ?? 0) + 1);
  for (const table of [...TABLE_NAMES, "snapshots"]) yield* db.run(`DELETE FROM ${table} WHERE conversation = ?`, id);
  yield* resetToCut(db, row);
  const start = (yield* conversationById(db, id)) ?? row;
  const writer = new DerivedWriter(db, start);
  for (let seq = row.cut; seq < end; ) {
    for (const each of yield* pageOfEvents(db, row, { after: seq, upTo: end, limit: PIECE })) {
      if (each.seq !== ++seq) throw missingEvent(seq);
      yield* writer.add(decodeRow(each), each.body.length, each.stored_at);
    }
  }
  yield* writer.finish();
  yield* db.run("UPDATE conversations SET snapshot_chars = 0 WHERE id = ?", id);
  yield* db.texts.reindex(row);
}

/** Resets the conversation's row to its values before its first own event. */
function* resetToCut(db: SqlDatabase, row: ConversationRow): Work<void> {
  const { id, cut } = row;
  yield* db.run(
    `UPDATE conversations SET last_seq = 0, last_timeline_seq = 0, next_position = 0, title = NULL, turns = 0,
      current_turn = NULL, tail_events = 0, tail_chars = 0, stored_chars = 0, indexed_seq = 0 WHERE id = ?`,
    id,
  );
  if (row.parent !== null) yield* beginBranch(db, id, yield* loadState(db, { ...row, last_seq: OPEN_END }, cut));
}

function withoutDerived(row: ConversationRow): ConversationRow {
  return {
    ...row,
    last_seq: 0,
    last_timeline_seq: 0,
    next_position: 0,
    title: null,
    turns: 0,
    current_turn: null,
    tail_events: 0,
    tail_chars: 0,
    stored_chars: 0,
  };
}

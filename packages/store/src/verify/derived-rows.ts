/**
 * Data derived from a conversation's events: rows of six tables, and some columns of its own row. This file derives
 * them again from the journal, either to compare them with the stored ones or to replace them.
 *
 * Both go through `JournalWriter`, as every append does, so there is only one implementation.
 */
import { DatabaseSync } from "node:sqlite";
import type { TimelineEvent } from "@cairn/timeline";
import { type ConversationRow, conversationById, lockById } from "../sql/conversations.ts";
import { decodeRow } from "../sql/event-row.ts";
import { JournalWriter } from "../sql/journal-writer.ts";
import { missingEvent } from "../sql/load.ts";
import { runNow } from "../sql/run-now.ts";
import { lockScope } from "../sql/search/segment-rows.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import { pageOfEvents } from "../sql/take-events.ts";
import type { Work } from "../sql/work.ts";
import { Database } from "../sqlite/database.ts";
import { MIGRATIONS } from "../sqlite/schema.ts";

const TABLES = ["inputs", "pending", "paths", "turns", "late_blocks", "pool"] as const;
const COLUMNS = ["last_timeline_seq", "next_position", "turns", "current_turn", "title"] as const;
const PIECE = 500;

export interface Deviation {
  /** A table, or a column of the conversation's row. */
  readonly where: string;
  /** Number of rows that are missing, and of rows that should not exist. */
  readonly missing: number;
  readonly stray: number;
}

/** Takes the events of one conversation in order, and then reports where the stored rows differ from them. */
export class DerivedRows {
  readonly #conversation: number;
  /** An empty database with the same schema for the derived rows. */
  readonly #scratch = new Database(new DatabaseSync(":memory:"), 0);
  readonly #writer: JournalWriter;

  constructor(row: ConversationRow) {
    this.#conversation = row.id;
    for (const migration of MIGRATIONS) this.#scratch.connection.exec(migration);
    const scope = "INSERT INTO scopes (id, tenant, project, user) VALUES (?, 't', 'p', 'u')";
    const conversation = `INSERT INTO conversations (id, scope, conversation, attributes, created_at, last_activity_at)
      VALUES (?, ?, 'c', '{}', 0, 0)`;
    runNow(this.#scratch.run(scope, row.scope));
    runNow(this.#scratch.run(conversation, row.id, row.scope));
    this.#writer = new JournalWriter(this.#scratch, withoutDerived(row));
  }

  add(event: TimelineEvent): void {
    runNow(this.#writer.replay(event, 0, 0));
  }

  /** Inside a read transaction of `db`. */
  *deviations(db: SqlDatabase): Work<Deviation[]> {
    runNow(this.#writer.finish());
    const tables: Deviation[] = [];
    for (const table of TABLES) tables.push(yield* this.#compareTable(db, table));
    const expected = runNow(conversationById(this.#scratch, this.#conversation));
    const actual = yield* conversationById(db, this.#conversation);
    const columns = COLUMNS.filter((column) => expected?.[column] !== actual?.[column]);
    return [
      ...tables.filter(({ missing, stray }) => missing + stray > 0),
      ...columns.map((column) => ({ where: `conversations.${column}`, missing: 1, stray: 1 })),
    ];
  }

  close(): void {
    this.#scratch.close();
  }

  *#compareTable(db: SqlDatabase, table: (typeof TABLES)[number]): Work<Deviation> {
    const sql = `SELECT * FROM ${table} WHERE conversation = ?`;
    const texts = (rows: readonly object[]) => new Set(rows.map((row) => JSON.stringify(Object.values(row))));
    const expected = texts(runNow(this.#scratch.all<object>(sql, this.#conversation)));
    const actual = texts(yield* db.all<object>(sql, this.#conversation));
    return { where: table, missing: expected.difference(actual).size, stray: actual.difference(expected).size };
  }
}

/**
 * Inside a write transaction: replaces every derived row, including words and snapshots, with what the journal gives.
 * Throws `corrupt` and changes nothing when an event is damaged or missing.
 */
export function* rebuildConversation(db: SqlDatabase, id: number): Work<void> {
  const known = yield* conversationById(db, id);
  if (known === null) return;
  // The scope is locked before the conversation, in the same order as indexing.
  yield* lockScope(db, known.scope);
  const row = yield* lockById(db, id);
  if (row === null || row.stage !== 0) return;
  const newest = (yield* db.get<{ seq: number | null }>(
    "SELECT max(seq) AS seq FROM events WHERE conversation = ?",
    id,
  ))?.seq;
  if ((newest ?? 0) < row.last_seq) throw missingEvent((newest ?? 0) + 1);
  for (const table of [...TABLES, "snapshots"]) yield* db.run(`DELETE FROM ${table} WHERE conversation = ?`, id);
  const writer = new JournalWriter(db, withoutDerived(row));
  for (let seq = 0; seq < (newest ?? 0); ) {
    for (const each of yield* pageOfEvents(db, row, { after: seq, upTo: newest ?? 0, limit: PIECE })) {
      if (each.seq !== ++seq) throw missingEvent(seq);
      yield* writer.replay(decodeRow(each), each.body.length, each.stored_at);
    }
  }
  yield* writer.finish();
  yield* db.run("UPDATE conversations SET snapshot_chars = 0 WHERE id = ?", id);
  yield* db.texts.reindex(row);
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

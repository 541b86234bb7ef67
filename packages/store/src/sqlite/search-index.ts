/**
 * Keeps the full-text index up with the journal, many events at a time.
 *
 * Adding to the index costs mostly per transaction, so an append only leaves its events behind a mark: everything up to
 * the mark is indexed, everything behind it is not yet. The mark moves in the transaction that indexes, when enough
 * events wait or when somebody searches, so that a search always finds what was acknowledged before it.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { indexRows, type TimelineEvent } from "@cairn/timeline";
import type { Database } from "./database.ts";
import { searchText } from "./search-text.ts";

/** As many events wait at most before an append indexes them. */
const MOST_WAITING = 512;
const PIECE = 1_000;

interface WaitingRow {
  readonly id: number;
  readonly conversation: number;
  readonly scope: number;
  readonly kind: string;
  readonly v: number;
  readonly body: string;
}

const WAITING = `SELECT e.id, e.conversation, c.scope, e.kind, e.v, e.body
FROM events e JOIN conversations c ON c.id = e.conversation WHERE e.kind IN ('block.appended', 'compaction.committed')`;

export class SearchIndex {
  readonly #db: Database;
  /** Where the mark stood when it was last seen; other processes may have moved it on. */
  #seenMark = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Indexes a piece of what waits if it has become much: whatever others left to be indexed, an append pays for a piece
   * of it at most. `newest` is the number of the last event written.
   */
  async keepUpWith(newest: number): Promise<void> {
    if (Math.abs(newest - this.#seenMark) <= MOST_WAITING) return;
    this.#seenMark = await this.#db.write(() => this.#indexPiece());
  }

  /** Indexes everything that waits now, if it has become much. */
  async keepUp(): Promise<void> {
    const { mark, newest } = await this.#db.read(() => this.#standing());
    if (newest - mark > MOST_WAITING) await this.catchUp();
  }

  /** Indexes everything that waits now. */
  async catchUp(signal?: AbortSignal): Promise<void> {
    const { mark, newest } = await this.#db.read(() => this.#standing(), signal);
    this.#seenMark = mark;
    while (this.#seenMark < newest) {
      const before = this.#seenMark;
      this.#seenMark = await this.#db.write(() => this.#indexPiece(), signal);
      // What waited was deleted meanwhile.
      if (this.#seenMark <= before) return;
      await yieldToOthers();
    }
  }

  /** Gives where the mark stands then. */
  #indexPiece(): number {
    const mark = this.#mark();
    const last = this.#db.get<{ id: number | null }>(
      "SELECT max(id) AS id FROM (SELECT id FROM events WHERE id > ? ORDER BY id LIMIT ?)",
      mark,
      PIECE,
    )?.id;
    if (last === null || last === undefined) return mark;
    const rows = this.#db.all<WaitingRow>(`${WAITING} AND e.id > ? AND e.id <= ?`, mark, last);
    for (const row of rows) addToIndex(this.#db, row);
    this.#db.run("UPDATE counters SET value = ? WHERE name = 'searchable'", last);
    return last;
  }

  #standing(): { readonly mark: number; readonly newest: number } {
    return { mark: this.#mark(), newest: this.#newest() };
  }

  #mark(): number {
    return searchableUpTo(this.#db);
  }

  #newest(): number {
    return this.#db.get<{ id: number | null }>("SELECT max(id) AS id FROM events")?.id ?? 0;
  }
}

/** The number of the last event that is indexed. */
export function searchableUpTo(db: Database): number {
  return db.get<{ value: number }>("SELECT value FROM counters WHERE name = 'searchable'")?.value ?? 0;
}

function addToIndex(db: Database, row: WaitingRow): void {
  const text = textOf(row);
  if (text === "") return;
  const scope = `s${row.scope} c${row.conversation}`;
  db.run("INSERT INTO search (rowid, scope, text) VALUES (?, ?, ?)", row.id, scope, searchText(text));
}

/** Inside a write transaction: indexes the words of one conversation anew, up to the mark. */
export function reindexConversation(db: Database, conversation: number): void {
  const mark = searchableUpTo(db);
  for (const { id } of db.all<{ id: number }>("SELECT id FROM events WHERE conversation = ?", conversation))
    removeFromIndex(db, id);
  const rows = db.all<WaitingRow>(`${WAITING} AND e.conversation = ? AND e.id <= ?`, conversation, mark);
  for (const row of rows) addToIndex(db, row);
}

/** Inside a write transaction: forgets every word; all events wait to be indexed from here on. */
export function clearIndex(db: Database): void {
  db.run("INSERT INTO search (search) VALUES ('delete-all')");
  db.run("UPDATE counters SET value = 0 WHERE name = 'searchable'");
}

/** Removes an event's words. */
export function removeFromIndex(db: Database, eventId: number): void {
  db.run("DELETE FROM search WHERE rowid = ?", eventId);
}

/** The numbers of removed events may be given again: the mark must not stand beyond the last event. */
export function lowerMark(db: Database): void {
  db.run(`UPDATE counters SET value = min(value, (SELECT coalesce(max(id), 0) FROM events)) WHERE name = 'searchable'`);
}

/** Damaged events have no words; loading and verify report them. */
function textOf(row: WaitingRow): string {
  try {
    const event = { kind: row.kind, v: row.v, body: JSON.parse(row.body) as unknown } as TimelineEvent;
    return indexRows(event)
      .texts.map(({ text }) => text)
      .join("\n");
  } catch {
    return "";
  }
}

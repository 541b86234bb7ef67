/**
 * Full-text search in SQLite. The index is kept up with the journal many events at a time.
 *
 * Adding to it costs mostly per transaction, so an append only leaves its events behind a mark: everything up to the mark
 * is indexed, everything behind it is not yet. The mark moves in the transaction that indexes, when enough events wait or
 * when somebody searches, so that a search always finds what was acknowledged before it.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { indexRows, type TimelineEvent } from "@cairn/timeline";
import type { PageOptions } from "../contract/call-options.ts";
import type { Scope } from "../contract/scope.ts";
import { searchText } from "../sql/search-text.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import type { IndexedConversation, TextIndex } from "../sql/text-index.ts";
import type { Work } from "../sql/work.ts";
import { search } from "./search.ts";
import { SearchCheck } from "./search-check.ts";

/** As many events of this process wait at most before an append indexes them. */
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

export class SearchIndex implements TextIndex {
  readonly #db: SqlDatabase;
  readonly #check = new SearchCheck();
  /** Events this process has written since it last indexed. */
  #waiting = 0;

  constructor(db: SqlDatabase) {
    this.#db = db;
  }

  // biome-ignore lint/correctness/useYield: the event waits behind the mark
  *add(): Work<void> {
    this.#waiting++;
  }

  *forget(_conversation: number, events: readonly number[]): Work<void> {
    for (const event of events) yield* this.#db.run("DELETE FROM search WHERE rowid = ?", event);
  }

  /** The numbers of removed events may be given again: the mark must not stand beyond the last event. */
  *settle(): Work<void> {
    yield* this.#db.run(
      `UPDATE counters SET value = min(value, (SELECT coalesce(max(id), 0) FROM events)) WHERE name = 'searchable'`,
    );
  }

  /** Up to the mark. */
  *reindex({ id: conversation }: IndexedConversation): Work<void> {
    const ids = yield* this.#db.all<{ id: number }>("SELECT id FROM events WHERE conversation = ?", conversation);
    yield* this.forget(
      conversation,
      ids.map(({ id }) => id),
    );
    const mark = yield* searchableUpTo(this.#db);
    const rows = yield* this.#db.all<WaitingRow>(`${WAITING} AND e.conversation = ? AND e.id <= ?`, conversation, mark);
    for (const row of rows) yield* this.#addWords(row);
  }

  *isRight(conversation: IndexedConversation, event: TimelineEvent, id: number, thorough: boolean): Work<boolean> {
    const isThere = (yield* this.#db.get("SELECT rowid FROM search WHERE rowid = ?", id)) !== undefined;
    const isWanted = wordsOf(event) !== "" && id <= (yield* searchableUpTo(this.#db));
    if (isThere !== isWanted) return false;
    return !isThere || !thorough || (yield* this.#check.isFound(this.#db, conversation, wordsOf(event), id));
  }

  *strays(): Work<number[]> {
    const rows = yield* this.#db.all<{ id: number }>(
      "SELECT rowid AS id FROM search WHERE rowid NOT IN (SELECT id FROM events)",
    );
    return rows.map(({ id }) => id);
  }

  /** Whatever others left to be indexed, an append pays for a piece of it at most. */
  async keepUp(): Promise<void> {
    if (this.#waiting <= MOST_WAITING) return;
    await this.#db.write(() => this.#indexPiece());
    this.#waiting = 0;
  }

  async keepUpWhole(): Promise<void> {
    const { mark, newest } = await this.#db.read(() => this.#standing());
    if (newest - mark > MOST_WAITING) await this.#catchUp();
  }

  async search(scope: Scope, query: string, options: PageOptions & { readonly conversation?: string }) {
    await this.#catchUp(options.signal);
    return this.#db.read(() => search(this.#db, scope, query, options), options.signal);
  }

  /** Indexes everything that waits now. */
  async #catchUp(signal?: AbortSignal): Promise<void> {
    let { mark, newest } = await this.#db.read(() => this.#standing(), signal);
    while (mark < newest) {
      const before = mark;
      mark = await this.#db.write(() => this.#indexPiece(), signal);
      // What waited was deleted meanwhile.
      if (mark <= before) break;
      await yieldToOthers();
    }
    this.#waiting = 0;
  }

  /** Gives where the mark stands then. */
  *#indexPiece(): Work<number> {
    const mark = yield* searchableUpTo(this.#db);
    const last = (yield* this.#db.get<{ id: number | null }>(
      "SELECT max(id) AS id FROM (SELECT id FROM events WHERE id > ? ORDER BY id LIMIT ?)",
      mark,
      PIECE,
    ))?.id;
    if (last === null || last === undefined) return mark;
    const rows = yield* this.#db.all<WaitingRow>(`${WAITING} AND e.id > ? AND e.id <= ?`, mark, last);
    for (const row of rows) yield* this.#addWords(row);
    yield* this.#db.run("UPDATE counters SET value = ? WHERE name = 'searchable'", last);
    return last;
  }

  *#addWords(row: WaitingRow): Work<void> {
    const text = textOf(row);
    if (text === "") return;
    const scope = `s${row.scope} c${row.conversation}`;
    yield* this.#db.run("INSERT INTO search (rowid, scope, text) VALUES (?, ?, ?)", row.id, scope, searchText(text));
  }

  *#standing(): Work<{ readonly mark: number; readonly newest: number }> {
    const newest = (yield* this.#db.get<{ id: number | null }>("SELECT max(id) AS id FROM events"))?.id ?? 0;
    return { mark: yield* searchableUpTo(this.#db), newest };
  }
}

/** The number of the last event that is indexed. */
function* searchableUpTo(db: SqlDatabase): Work<number> {
  return (yield* db.get<{ value: number }>("SELECT value FROM counters WHERE name = 'searchable'"))?.value ?? 0;
}

/** Inside a write transaction: forgets every word; all events wait to be indexed from here on. */
export function* clearIndex(db: SqlDatabase): Work<void> {
  yield* db.run("INSERT INTO search (search) VALUES ('delete-all')");
  yield* db.run("UPDATE counters SET value = 0 WHERE name = 'searchable'");
}

function wordsOf(event: TimelineEvent): string {
  return indexRows(event)
    .texts.map(({ text }) => text)
    .join("\n");
}

/** Damaged events have no words; loading and verify report them. */
function textOf(row: WaitingRow): string {
  try {
    return wordsOf({ kind: row.kind, v: row.v, body: JSON.parse(row.body) as unknown } as TimelineEvent);
  } catch {
    return "";
  }
}

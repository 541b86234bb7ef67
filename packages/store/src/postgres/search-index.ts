/** Full-text search in PostgreSQL. Words are indexed with their event, in its own transaction. */
import { indexRows, type TimelineEvent } from "@cairn/timeline";
import type { Page, PageOptions } from "../contract/call-options.ts";
import type { SearchHit } from "../contract/records.ts";
import { checkPart, checkScope, type Scope } from "../contract/scope.ts";
import { requireConversation } from "../sql/conversations.ts";
import { decodeRow, EVENT_COLUMNS, type EventRow } from "../sql/event-row.ts";
import { decodeCursor, encodeCursor, pageLimit } from "../sql/paging.ts";
import { describeHit, type HitRow, knownScope } from "../sql/search-hit.ts";
import { queryWords } from "../sql/search-text.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import type { IndexedConversation, TextIndex } from "../sql/text-index.ts";
import type { Work } from "../sql/work.ts";
import { type WordQuery, wordQuery, wordVectors } from "./word-vector.ts";

const INSERT = `INSERT INTO search (event, piece, scope, conversation, words)
SELECT e.id, CAST(? AS BIGINT), CAST(? AS BIGINT), e.conversation, CAST(? AS TSVECTOR)
FROM events e WHERE e.conversation = ? AND e.seq = ?`;

interface StrayRow {
  readonly id: number;
  readonly there: boolean;
}

/** The whole index is looked through in pieces: no answer takes long, however much there is. */
const STRAYS_AT_ONCE = 10_000;
const SOME_INDEXED = `SELECT s.id, EXISTS (SELECT 1 FROM events e WHERE e.id = s.id) AS there
FROM (SELECT DISTINCT event AS id FROM search WHERE event > ? ORDER BY event LIMIT ?) s ORDER BY s.id`;

export class PostgresSearchIndex implements TextIndex {
  readonly #db: SqlDatabase;

  constructor(db: SqlDatabase) {
    this.#db = db;
  }

  *add(conversation: IndexedConversation, event: TimelineEvent, seq: number): Work<void> {
    for (const [piece, words] of vectorsOf(conversation, event).entries())
      yield* this.#db.run(INSERT, piece, conversation.scope, words, conversation.id, seq);
  }

  *forget(_conversation: number, events: readonly number[]): Work<void> {
    for (const event of events) yield* this.#db.run("DELETE FROM search WHERE event = ?", event);
  }

  /** Numbers of events are never given again. */
  *settle(): Work<void> {}

  *reindex(conversation: IndexedConversation): Work<void> {
    yield* this.#db.run("DELETE FROM search WHERE conversation = ?", conversation.id);
    const rows = yield* this.#db.all<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation = ? ORDER BY seq`,
      conversation.id,
    );
    for (const row of rows) yield* this.add(conversation, decodeRow(row), row.seq);
  }

  *isRight(conversation: IndexedConversation, event: TimelineEvent, id: number): Work<boolean> {
    const expected = vectorsOf(conversation, event);
    const pieces = yield* this.#db.all<{ piece: number }>("SELECT piece FROM search WHERE event = ?", id);
    if (pieces.length !== expected.length) return false;
    for (const [piece, words] of expected.entries()) {
      const same = yield* this.#db.get(
        `SELECT 1 FROM search WHERE event = ? AND piece = ? AND scope = ? AND conversation = ?
          AND words = CAST(? AS TSVECTOR)`,
        id,
        piece,
        conversation.scope,
        conversation.id,
        words,
      );
      if (same === undefined) return false;
    }
    return true;
  }

  *strays(): Work<number[]> {
    const strays: number[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const rows: StrayRow[] = yield* this.#db.all<StrayRow>(SOME_INDEXED, after, STRAYS_AT_ONCE);
      for (const { id, there } of rows) if (!there) strays.push(id);
      after = rows.length < STRAYS_AT_ONCE ? undefined : rows.at(-1)?.id;
    }
    return strays;
  }

  async keepUp(): Promise<void> {}

  async keepUpWhole(): Promise<void> {}

  search(scope: Scope, query: string, options: PageOptions & { readonly conversation?: string }) {
    return this.#db.read(() => this.#find(scope, query, options), options.signal);
  }

  *#find(
    scope: Scope,
    query: string,
    options: PageOptions & { readonly conversation?: string },
  ): Work<Page<SearchHit>> {
    checkScope(scope);
    const limit = pageLimit(options.limit, 50);
    const [before = Number.MAX_SAFE_INTEGER] = decodeCursor(options.cursor, 1) ?? [];
    const { conversation } = options;
    if (conversation !== undefined) checkPart("conversation", conversation);
    const within = conversation === undefined ? null : yield* requireConversation(this.#db, { ...scope, conversation });
    const number = within?.scope ?? (yield* knownScope(this.#db, scope));
    if (number === null) return { items: [], next: null };
    const asked = wordQuery(query, within === null ? scopeWord(number) : conversationWord(within.id));
    if (asked === null) return { items: [], next: null };
    const rows = yield* this.#candidates(asked, number, before, limit + 1);
    const last = rows[limit - 1];
    const words = queryWords(query);
    return {
      items: rows.slice(0, limit).flatMap((row) => describeHit(row, words)),
      next: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
    };
  }

  /** The newest `count` events that really hold the words. */
  *#candidates({ conditions, isIn }: WordQuery, scope: number, before: number, count: number): Work<HitRow[]> {
    const each = conditions.map(() => "AND e.id IN (SELECT event FROM search WHERE words @@ CAST(? AS TSQUERY))");
    const columns = EVENT_COLUMNS.split(", ").map((column) => `e.${column}`);
    const sql = `SELECT e.id, c.conversation AS name, ${columns.join(", ")}
      FROM events e JOIN conversations c ON c.id = e.conversation
      WHERE e.id < ? AND c.scope = ? AND c.stage = 0 ${each.join(" ")} ORDER BY e.id DESC LIMIT ?`;
    const found: HitRow[] = [];
    for (let last = before; found.length < count; ) {
      const rows = yield* this.#db.all<HitRow>(sql, last, scope, ...conditions, count);
      found.push(...rows.filter((row) => isIn(textOf(decodeRow(row)))));
      if (rows.length < count) break;
      last = rows.at(-1)?.id ?? 0;
    }
    return found.slice(0, count);
  }
}

/** Words that no text can hold: they have a sign in them that is neither letter nor digit. */
function scopeWord(scope: number): string {
  return `s:${scope}`;
}

function conversationWord(conversation: number): string {
  return `c:${conversation}`;
}

function vectorsOf({ id, scope }: IndexedConversation, event: TimelineEvent): string[] {
  const text = textOf(event);
  return text === "" ? [] : wordVectors(text, [scopeWord(scope), conversationWord(id)]);
}

function textOf(event: TimelineEvent): string {
  return indexRows(event)
    .texts.map(({ text }) => text)
    .join("\n");
}

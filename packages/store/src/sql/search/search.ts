/** Search within a scope: the texts a query finds, read and described, page by page. */
import type { Page } from "../../contract/call-options.ts";
import { storeError } from "../../contract/errors.ts";
import type { SearchHit } from "../../contract/records.ts";
import { checkPart, checkScope, type Scope } from "../../contract/scope.ts";
import type { SearchOptions } from "../../contract/search-options.ts";
import { hasRuns } from "../../recall/all-words.ts";
import { EXCERPT_CHARS, excerptOf } from "../../recall/excerpt.ts";
import { NearRepeats } from "../../recall/near-repeat.ts";
import { blockOfRow } from "../block-row.ts";
import type { ConversationRow } from "../conversations.ts";
import { EVENT_COLUMNS, type EventRow } from "../event-row.ts";
import { decodeCursor, encodeCursor, pageLimit } from "../paging.ts";
import type { SqlDatabase } from "../sql-database.ts";
import { toColumn } from "../text-column.ts";
import type { SqlText, Work } from "../work.ts";
import { type FoundTexts, findAll, findRanked } from "./find-texts.ts";
import type { ScopeTexts } from "./scope-texts.ts";
import { kindOf } from "./text-table.ts";

interface HitRow extends EventRow {
  readonly id: number;
  readonly conversation: number;
  readonly name: string;
}

const columns = EVENT_COLUMNS.split(", ").map((column) => `e.${column}`);
const select = `SELECT e.id, e.conversation, c.conversation AS name, ${columns.join(", ")}
FROM events e JOIN conversations c ON c.id = e.conversation WHERE c.scope = ? AND c.stage = 0 AND e.id IN`;
const EVENTS_BY_ID: SqlText = {
  sqlite: `${select} (SELECT value FROM json_each(?))`,
  postgres: `${select} (SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST(? AS JSON)))`,
};

const LONGEST_EXCERPT = 4_000;
/** Texts that are read at once. */
const READ_AT_ONCE = 20;

/** Everything about a search that can be wrong, before anything is looked for. */
export function checkSearch(scope: Scope, options: SearchOptions): void {
  checkScope(scope);
  pageLimit(options.limit, 50);
  pageLimit(options.excerptChars, EXCERPT_CHARS, LONGEST_EXCERPT);
  if (options.conversation !== undefined) checkPart("conversation", options.conversation);
  if (options.turn !== undefined && options.conversation === undefined)
    throw storeError("bad_argument", "`turn` needs `conversation`: a turn belongs to one.", { turn: options.turn });
}

export function* search(
  db: SqlDatabase,
  scope: number,
  texts: ScopeTexts,
  query: string,
  options: SearchOptions,
  within: ConversationRow | null,
): Work<Page<SearchHit>> {
  const accepts = yield* filterOf(db, texts, options, within);
  const isList = options.match === "all";
  const found = isList ? yield* findAll(db, texts, query, accepts) : yield* findRanked(db, texts, query, accepts);
  return yield* describePage(db, scope, texts, found, options);
}

/** The filters that need no text to be read. */
function* filterOf(
  db: SqlDatabase,
  texts: ScopeTexts,
  options: SearchOptions,
  within: ConversationRow | null,
): Work<(text: number) => boolean> {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, types, turn } = options;
  const kinds = types === undefined ? null : new Set(types.map(kindOf));
  const events = turn === undefined || within === null ? null : yield* eventsOfTurn(db, within, turn);
  return (text) => {
    if (within !== null && texts.conversation(text) !== within.id) return false;
    if (kinds !== null && !kinds.has(texts.kind(text))) return false;
    if (events !== null && !events.has(texts.event(text))) return false;
    const time = texts.time(text) * 1_000;
    return time >= since && time < until;
  };
}

/** All events the turn spans, and its blocks that came later. Blocks of other turns may lie between them. */
function* eventsOfTurn(db: SqlDatabase, { id, last_seq }: ConversationRow, turn: string): Work<Set<number>> {
  const sql = `SELECT e.id FROM turns t JOIN events e ON e.conversation = t.conversation AND (
      e.seq BETWEEN t.opened_seq AND CASE WHEN t.closed_seq IS NULL THEN ? ELSE t.last_seq END
      OR e.seq IN (SELECT l.seq FROM late_blocks l WHERE l.conversation = t.conversation AND l.turn = t.ordinal))
    WHERE t.conversation = ? AND t.turn_id = ?`;
  const rows = yield* db.all<{ id: number }>(sql, last_seq, id, toColumn(turn));
  return new Set(rows.map((row) => row.id));
}

function* describePage(
  db: SqlDatabase,
  scope: number,
  texts: ScopeTexts,
  { found, groups, weights, words }: FoundTexts,
  options: SearchOptions,
): Work<Page<SearchHit>> {
  const limit = pageLimit(options.limit, 50);
  const chars = pageLimit(options.excerptChars, EXCERPT_CHARS, LONGEST_EXCERPT);
  const repeats = options.match === "all" ? null : new NearRepeats();
  const items: SearchHit[] = [];
  const start = startOf(texts, found, options);
  for (let at = start; at < found.length; ) {
    const some = found.slice(at, at + Math.max(READ_AT_ONCE, limit));
    const rows = yield* readRows(
      db,
      scope,
      some.map(({ text }) => texts.event(text)),
    );
    for (const { text, score } of some) {
      const row = rows.get(texts.event(text));
      const block = row?.conversation === texts.conversation(text) ? blockOfRow(row) : null;
      if (
        row !== undefined &&
        block !== null &&
        isMeant(block.block, options) &&
        (words === null || hasRuns(block.block.text ?? "", words))
      ) {
        const repeated = repeats?.find(block.block.text ?? "") ?? -1;
        const known = items[repeated];
        if (known !== undefined) items[repeated] = { ...known, repeats: known.repeats + 1 };
        else {
          if (items.length === limit) return { items, next: cursorAt(texts, found, at, options) };
          const { turn_id = null, type, path = null, text: content = "" } = block.block;
          items.push({
            ...{ conversation: row.name, seq: row.seq, position: block.position, turn_id, type, path },
            ...{ ts: new Date(texts.time(text) * 1_000).toISOString(), score, repeats: 0 },
            excerpt: excerptOf(content, groups, weights, chars),
          });
        }
      }
      at++;
    }
  }
  return { items, next: null };
}

function isMeant(
  { type, turn_id }: { readonly type: string; readonly turn_id?: string },
  options: SearchOptions,
): boolean {
  return (options.types?.includes(type) ?? true) && (options.turn === undefined || options.turn === turn_id);
}

function* readRows(db: SqlDatabase, scope: number, events: readonly number[]): Work<Map<number, HitRow>> {
  const rows = yield* db.all<HitRow>(EVENTS_BY_ID, scope, JSON.stringify(events));
  return new Map(rows.map((row) => [row.id, row]));
}

/** A list goes on behind an event, whatever came meanwhile; a ranking behind a place in it. */
function startOf(texts: ScopeTexts, found: FoundTexts["found"], { cursor, match }: SearchOptions): number {
  const [after] = decodeCursor(cursor, 1) ?? [];
  if (after === undefined) return 0;
  if (match !== "all") return after;
  const at = found.findIndex(({ text }) => texts.event(text) < after);
  return at === -1 ? found.length : at;
}

/** For a page that begins with the text at `next`. */
function cursorAt(texts: ScopeTexts, found: FoundTexts["found"], next: number, { match }: SearchOptions): string {
  return encodeCursor(match === "all" ? texts.event(found[next]?.text ?? 0) + 1 : next);
}

/** Search within a scope: finds the texts for a query, reads them and returns hits page by page. */
import { isPublic } from "@cairn/timeline";
import type { Page } from "../../contract/call-options.ts";
import { storeError } from "../../contract/errors.ts";
import type { FoundBlock, SearchHit } from "../../contract/records.ts";
import { checkPart, checkScope, type Scope } from "../../contract/scope.ts";
import type { SearchOptions } from "../../contract/search-options.ts";
import { hasRuns } from "../../recall/all-words.ts";
import { excerptOf } from "../../recall/excerpt.ts";
import { NearRepeats } from "../../recall/near-repeat.ts";
import { blockOfRow } from "../block-row.ts";
import type { ConversationRow } from "../conversations.ts";
import { EVENT_COLUMNS, type EventRow } from "../event-row.ts";
import { journalOf, OPEN_END, turnOf } from "../lineage.ts";
import { checkRange, decodeCursor, encodeCursor, pageLimit } from "../paging.ts";
import type { SqlDatabase } from "../sql-database.ts";
import { toColumn } from "../text-column.ts";
import { PAUSE, type SqlText, type Work } from "../work.ts";
import { type FoundTexts, findAll, findRanked } from "./find-texts.ts";
import type { ScopeTexts } from "./scope-texts.ts";
import { codeOf } from "./text-table.ts";

interface HitRow extends EventRow {
  readonly id: number;
  readonly conversation: number;
  /** Id of the conversation; null when it is being deleted. */
  readonly name: string | null;
}

const columns = EVENT_COLUMNS.split(", ").map((column) => `e.${column}`);
// The text of a deleted conversation is found in a branch that has it.
const name = `CASE WHEN c.stage = 0 THEN c.conversation ELSE (
  SELECT d.conversation FROM lineage l JOIN conversations d ON d.id = l.conversation
  WHERE l.part = c.id AND l.upto >= e.seq AND d.stage = 0 ORDER BY d.unlisted, d.id LIMIT 1) END`;
const hitColumns = `e.id, e.conversation, ${name} AS name, ${columns.join(", ")}`;
// The list of ids comes first: SQLite keeps the order of a cross join.
const EVENTS_BY_ID: SqlText = {
  sqlite: `SELECT ${hitColumns} FROM json_each(?) j CROSS JOIN events e CROSS JOIN conversations c
    WHERE e.id = j.value AND c.id = e.conversation AND c.scope = ? AND c.stage IN (0, 3)`,
  postgres: `SELECT ${hitColumns} FROM json_array_elements_text(CAST(? AS JSON)) j
    JOIN events e ON e.id = CAST(j.value AS BIGINT) JOIN conversations c ON c.id = e.conversation
    WHERE c.scope = ? AND c.stage IN (0, 3)`,
};

const SECOND = 1_000;
const MAX_EXCERPT_LENGTH = 4_000;
/** Characters of texts that are compared and excerpted before other work of the process runs: about 2 ms. */
const SLICE_CHARS = 50_000;
/** Number of texts that are read in addition to the limit, because some may repeat others. */
const READ_MORE = 10;
/** Maximum number of texts of earlier pages with which a page is compared, because it must not repeat them. */
const MAX_EARLIER = 1_000;
/** The maximum number of texts that are read for a page, as a multiple of its limit. Repeats may shorten the page. */
const MAX_READ = 20;

/** Checks all arguments of a search before it starts. */
export function checkSearch(scope: Scope, options: SearchOptions): void {
  checkScope(scope);
  pageLimit(options.limit, 50);
  if (options.excerptChars !== undefined) checkRange("excerptChars", options.excerptChars, MAX_EXCERPT_LENGTH);
  if (options.conversation !== undefined) checkPart("conversation", options.conversation);
  const { match = "ranked", since = 0, until = 0 } = options;
  if (match !== "ranked" && match !== "all")
    throw storeError("bad_argument", '`match` must be "ranked" or "all".', { match });
  if (Number.isNaN(since) || Number.isNaN(until))
    throw storeError("bad_argument", "`since` and `until` must be times in epoch milliseconds.");
  if (options.turn !== undefined && options.conversation === undefined)
    throw storeError("bad_argument", "`turn` also needs `conversation`, because a turn belongs to one conversation.", {
      turn: options.turn,
    });
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
  return yield* describePage(db, scope, texts, found, options, within?.conversation);
}

/** The filters that do not need the text. */
function* filterOf(
  db: SqlDatabase,
  texts: ScopeTexts,
  options: SearchOptions,
  within: ConversationRow | null,
): Work<(text: number) => boolean> {
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, types, turn, cursor, match } = options;
  const { kinds, times, conversations, events } = texts;
  const wanted = types === undefined ? null : new Set(types.map(codeOf));
  const parts = within === null ? null : yield* lastEvents(db, within);
  const spanned = turn === undefined || within === null ? null : yield* eventsOfTurn(db, within, turn);
  // Where the next page begins: in a list after an event, which later additions do not move; in a ranking after a rank.
  const before = match === "all" ? decodeCursor(cursor, 1)?.[0] : undefined;
  return (text) => {
    const event = events[text] ?? 0;
    if (parts !== null && event > (parts.get(conversations[text] ?? 0) ?? -1)) return false;
    if (wanted !== null && !wanted.has(kinds[text] ?? 0)) return false;
    if ((before !== undefined && event >= before) || (spanned !== null && !spanned.has(event))) return false;
    // The index keeps seconds. A block with a time of its own is checked again when it is read.
    const time = (times[text] ?? 0) * SECOND;
    return time + SECOND > since && time < until;
  };
}

/** The parts of a conversation's journal, each with the last event of the part. Ids of events grow with their seqs. */
function* lastEvents(db: SqlDatabase, row: ConversationRow): Work<ReadonlyMap<number, number>> {
  const ends = new Map([[row.id, OPEN_END]]);
  if (row.parent === null) return ends;
  const sql = `SELECT l.part, e.id FROM lineage l JOIN events e ON e.conversation = l.part AND e.seq = l.upto
    WHERE l.conversation = ?`;
  for (const { part, id } of yield* db.all<{ part: number; id: number }>(sql, row.id)) ends.set(part, id);
  return ends;
}

/** All events within the turn, and its blocks that came later. Blocks of other turns may lie between them. */
function* eventsOfTurn(db: SqlDatabase, row: ConversationRow, turnId: string): Work<Set<number>> {
  const turn = yield* turnOf(db, row, "turn_id", toColumn(turnId));
  if (turn === null) return new Set();
  const sql = `SELECT id FROM ${journalOf(row, "events")} AND (seq BETWEEN ? AND ?
    OR seq IN (SELECT seq FROM ${journalOf(row, "late_blocks")} AND turn = ?))`;
  const end = turn.closed_seq === null ? row.last_seq : turn.last_seq;
  const rows = yield* db.all<{ id: number }>(sql, row.id, turn.opened_seq, end, row.id, turn.ordinal);
  return new Set(rows.map(({ id }) => id));
}

function* describePage(
  db: SqlDatabase,
  scope: number,
  texts: ScopeTexts,
  found: FoundTexts,
  options: SearchOptions,
  within?: string,
): Work<Page<SearchHit>> {
  const limit = pageLimit(options.limit, 50);
  const isList = options.match === "all";
  const items: SearchHit[] = [];
  let at = isList ? 0 : (decodeCursor(options.cursor, 1)?.[0] ?? 0);
  const repeats = isList ? null : yield* repeatsBefore(db, scope, texts, found, options, at);
  const earlier = repeats?.size ?? 0;
  let chars = 0;
  for (let more = limit + READ_MORE; ; more *= 4) {
    const some = found.first(at + more).slice(at);
    const rows = yield* readRows(db, scope, texts, some);
    for (const ranked of some) {
      const { text, score } = ranked;
      const hit = hitOf(rows.get(texts.events[text] ?? 0), texts, text, found, options);
      if (hit !== null) {
        const repeated = repeats?.find(hit.content) ?? -1;
        if (repeated === -1) {
          if (items.length === limit) return { items, next: encodeCursor(isList ? (texts.events[text] ?? 0) + 1 : at) };
          items.push({ ...describeHit(hit, score, found, options), ...(within && { conversation: within }) });
        }
        // Texts that repeat a hit of an earlier page are left out.
        const known = items[repeated - earlier];
        if (repeated !== -1 && known !== undefined)
          items[repeated - earlier] = { ...known, repeats: known.repeats + 1 };
      }
      at++;
      chars += hit?.content.length ?? 0;
      if (chars > SLICE_CHARS) {
        yield PAUSE;
        chars = 0;
      }
    }
    if (some.length < more) return { items, next: null };
    if (repeats !== null && more > limit * MAX_READ) return { items, next: encodeCursor(at) };
  }
}

/** The texts of earlier pages, so that repeats of them can be left out. */
function* repeatsBefore(
  db: SqlDatabase,
  scope: number,
  texts: ScopeTexts,
  found: FoundTexts,
  options: SearchOptions,
  at: number,
): Work<NearRepeats> {
  const repeats = new NearRepeats();
  const some = at === 0 ? [] : found.first(at).slice(-MAX_EARLIER);
  const rows = yield* readRows(db, scope, texts, some);
  for (const { text } of some) {
    const hit = hitOf(rows.get(texts.events[text] ?? 0), texts, text, found, options);
    if (hit !== null) repeats.find(hit.content);
  }
  return repeats;
}

interface ReadHit {
  readonly row: HitRow;
  readonly found: FoundBlock;
  readonly content: string;
  readonly time: number;
}

/** Makes the hit for a block; null when the block no longer exists, or its text does not match the filters. */
function hitOf(
  row: HitRow | undefined,
  { conversations, times }: ScopeTexts,
  text: number,
  { words }: FoundTexts,
  { types, turn, forPeople = false, since, until }: SearchOptions,
): ReadHit | null {
  const found = row === undefined || row.conversation !== conversations[text] ? null : blockOfRow(row);
  if (row === undefined || row.name === null || found === null) return null;
  const { type, turn_id, text: content = "" } = found.block;
  if (types !== undefined && !types.includes(type)) return null;
  if (turn !== undefined && turn !== turn_id) return null;
  if (words !== null && !hasRuns(content, words)) return null;
  if (forPeople && !isPublic(found.block)) return null;
  const said = Date.parse(found.block.ts ?? "");
  if (said < (since ?? said) || said >= (until ?? Number.POSITIVE_INFINITY)) return null;
  return { row, found, content, time: Number.isNaN(said) ? (times[text] ?? 0) * SECOND : said };
}

function describeHit(
  { row, found, content, time }: ReadHit,
  score: number,
  { groups, weights }: FoundTexts,
  { excerptChars }: SearchOptions,
): SearchHit {
  const { turn_id = null, type, path = null } = found.block;
  return {
    conversation: row.name ?? "",
    seq: row.seq,
    position: found.position,
    turn_id,
    type,
    path,
    internal: !isPublic(found.block),
    ts: new Date(time).toISOString(),
    score,
    repeats: 0,
    excerpt: excerptOf(content, groups, weights, excerptChars),
  };
}

function* readRows(
  db: SqlDatabase,
  scope: number,
  { events }: ScopeTexts,
  some: readonly { readonly text: number }[],
): Work<Map<number, HitRow>> {
  const ids = some.map(({ text }) => events[text] ?? 0);
  const rows = yield* db.all<HitRow>(EVENTS_BY_ID, JSON.stringify(ids), scope);
  return new Map(rows.map((row) => [row.id, row]));
}

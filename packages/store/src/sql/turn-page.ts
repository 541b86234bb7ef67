/** The journal of some turns, found through the index of turns; the cost depends on these turns only. */
import type { CallOptions } from "../contract/call-options.ts";
import { storeError } from "../contract/errors.ts";
import type { TurnPage } from "../contract/records.ts";
import type { ConversationRow } from "./conversations.ts";
import { EVENT_COLUMNS, type EventRow, readEventRow } from "./event-row.ts";
import { highestSidBefore } from "./known-sources.ts";
import { journalOf, partsOf, turnOf, turnsOf } from "./lineage.ts";
import { pageLimit } from "./paging.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { takeEvents } from "./take-events.ts";
import type { Work } from "./work.ts";

export interface TurnPageOptions extends CallOptions {
  readonly before?: number;
  readonly limit?: number;
  readonly maxBytes?: number;
}

export function* readTurnPage(db: SqlDatabase, row: ConversationRow, options: TurnPageOptions): Work<TurnPage> {
  const limit = pageLimit(options.limit, 20);
  const before = options.before ?? row.turns + 1;
  if (!Number.isSafeInteger(before) || before < 1)
    throw storeError("bad_argument", "`before` must be the number of a turn, at least 1.", { before });
  const last = Math.min(before - 1, row.turns);
  if (last < 1) return { first: 1, last: 0, seq: row.last_seq, highest_sid: 0, events: [] };
  const next = yield* openedSeq(db, row, last + 1);
  const end = next === null ? row.last_seq : next - 1;
  const wanted = Math.max(1, last - limit + 1);
  const { maxBytes = Number.POSITIVE_INFINITY } = options;
  const first = yield* firstWithin(db, row, { first: wanted, last, end }, maxBytes);
  const start = (yield* openedSeq(db, row, first)) ?? 1;
  const span = { after: start - 1, upTo: end, limit: Math.max(1, end - start + 1) };
  const events = yield* takeEvents(db, row, span, readEventRow);
  const later =
    next === null ? [] : (yield* laterRows<EventRow>(db, row, EVENT_COLUMNS, { first, last, end })).map(readEventRow);
  const highest_sid = yield* highestSidBefore(db, row, start);
  return { first, last, seq: row.last_seq, highest_sid, events: [...events, ...later] };
}

interface Wanted {
  readonly first: number;
  readonly last: number;
  readonly end: number;
}

/** The first turn, `wanted.first` or a later one, whose page has at most `maxBytes`. */
function* firstWithin(db: SqlDatabase, row: ConversationRow, wanted: Wanted, maxBytes: number): Work<number> {
  const stored = (yield* partsOf(db, row)).reduce((sum, { stored_chars }) => sum + stored_chars, 0);
  const { first, last, end } = wanted;
  if (stored <= maxBytes) return first;
  const turns = yield* db.all<{ ordinal: number; opened_seq: number }>(
    `SELECT ordinal, opened_seq FROM ${turnsOf(row)} AND ordinal BETWEEN ? AND ? ORDER BY ordinal`,
    ...[row.id, first, last],
  );
  const own = yield* db.all<{ seq: number; bytes: number }>(
    `SELECT seq, octet_length(body) AS bytes FROM ${journalOf(row, "events")} AND seq BETWEEN ? AND ?`,
    ...[row.id, turns[0]?.opened_seq ?? 1, end],
  );
  const lateTurns = yield* db.all<{ seq: number; turn: number }>(
    `SELECT seq, turn FROM ${journalOf(row, "late_blocks")} AND turn BETWEEN ? AND ? AND seq > ?`,
    ...[row.id, first, last, end],
  );
  const turnOfLate = new Map(lateTurns.map(({ seq, turn }) => [seq, turns[turn - first]?.opened_seq]));
  const later = yield* laterRows<LaterSize>(db, row, "seq, kind, octet_length(body) AS bytes", wanted);
  // A page has an event if it begins at `upTo` or before.
  const sizes = [
    ...own.map(({ seq, bytes }) => ({ upTo: seq, bytes })),
    ...later.map(({ seq, kind, bytes }) => ({
      upTo: (kind === "block.appended" ? turnOfLate.get(seq) : undefined) ?? Number.POSITIVE_INFINITY,
      bytes,
    })),
  ].sort((left, right) => (left.upTo > right.upTo ? -1 : 1));
  let bytes = 0;
  const over = sizes.find((each) => {
    bytes += each.bytes;
    return bytes > maxBytes;
  });
  if (over === undefined) return first;
  return turns.find(({ opened_seq }) => opened_seq > over.upTo)?.ordinal ?? last;
}

interface LaterSize {
  readonly seq: number;
  readonly kind: string;
  readonly bytes: number;
}

function* openedSeq(db: SqlDatabase, row: ConversationRow, ordinal: number): Work<number | null> {
  return (yield* turnOf(db, row, "ordinal", ordinal))?.opened_seq ?? null;
}

/** Events after the turns that concern them, such as feedback and compactions. */
function* laterRows<Row extends object>(
  db: SqlDatabase,
  row: ConversationRow,
  columns: string,
  { first, last, end }: Wanted,
): Work<Row[]> {
  return yield* db.all<Row>(
    `SELECT ${columns} FROM ${journalOf(row, "events")} AND seq IN (
      SELECT seq FROM ${journalOf(row, "late_blocks")} AND turn BETWEEN ? AND ? AND seq > ?
      UNION SELECT seq FROM ${journalOf(row, "inputs")} AND kind = 'feedback.received' AND seq > ?
      UNION SELECT seq FROM ${journalOf(row, "events")} AND kind = 'compaction.committed' AND seq > ?
    ) ORDER BY seq`,
    ...[row.id, row.id, first, last, end, row.id, end, row.id, end],
  );
}

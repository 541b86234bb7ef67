/**
 * Reads events of one conversation in slices. A conversation may hold hundreds of megabytes; other work of the process
 * runs between slices, and memory holds one slice and what is made of it.
 */
import { storeError } from "../contract/errors.ts";
import { type ConversationRow, conversationById } from "./conversations.ts";
import { EVENT_COLUMNS, type EventRow } from "./event-row.ts";
import { type Part, partsOf } from "./lineage.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { PAUSE, type Work } from "./work.ts";

/** Approximate number of bytes of events that are read and parsed before other work of the process runs: about 2 ms. */
const SLICE_BYTES = 200_000;

/** The conversation whose events are read, with its size in characters. */
export type EventOwner = Pick<ConversationRow, "id" | "parent" | "stored_chars">;

interface Span {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  /** Events of these kinds are left out. */
  readonly without?: readonly string[];
}

/** Calls `take` for each event of a span, in order, and returns the results. A large span is read in slices. */
export function* takeEvents<T>(db: SqlDatabase, owner: EventOwner, span: Span, take: (row: EventRow) => T): Work<T[]> {
  const taken: T[] = [];
  for (const slice of yield* slicesOf(db, owner, span)) {
    if (taken.length > 0) yield* pause(db, owner);
    for (const row of yield* rowsOf(db, slice)) taken.push(take(row));
  }
  return taken;
}

/** The events of the first slice of a span. The next page begins after them. */
export function* pageOfEvents(db: SqlDatabase, owner: EventOwner, span: Span): Work<EventRow[]> {
  const [first] = yield* slicesOf(db, owner, span);
  return first === undefined ? [] : yield* rowsOf(db, first);
}

/** A part of a span whose events belong to one conversation. */
interface Slice extends Span {
  readonly id: number;
}

function* rowsOf(db: SqlDatabase, { id, after, upTo, limit, without = [] }: Slice): Work<EventRow[]> {
  return yield* db.all<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events
      WHERE conversation = ? AND seq > ? AND seq <= ?${excluding(without)} ORDER BY seq LIMIT ?`,
    ...[id, after, upTo, ...without, limit],
  );
}

function excluding(kinds: readonly string[]): string {
  return kinds.length === 0 ? "" : ` AND kind NOT IN (${kinds.map(() => "?").join(", ")})`;
}

/** Divides a span so that each slice has about `SLICE_BYTES` of one conversation. */
function* slicesOf(db: SqlDatabase, owner: EventOwner, span: Span): Work<Slice[]> {
  const slices: Slice[] = [];
  const last = Math.min(span.upTo, span.after + span.limit);
  let { after } = span;
  for (const part of yield* partsOf(db, owner)) {
    const upTo = Math.min(last, part.upto);
    if (upTo <= after) continue;
    slices.push(...(yield* slicesOfPart(db, part, { ...span, after, upTo, limit: upTo - after })));
    after = upTo;
  }
  return slices;
}

/** Divides by the size of the bodies, which is known without reading them. */
function* slicesOfPart(db: SqlDatabase, { id, stored_chars }: Part, span: Span): Work<Slice[]> {
  if (stored_chars <= SLICE_BYTES) return [{ id, ...span }];
  const { without = [] } = span;
  const sizes = yield* db.all<{ seq: number; bytes: number }>(
    `SELECT seq, octet_length(body) AS bytes FROM events
      WHERE conversation = ? AND seq > ? AND seq <= ?${excluding(without)} ORDER BY seq LIMIT ?`,
    ...[id, span.after, span.upTo, ...without, span.limit],
  );
  const slices: Slice[] = [];
  let [after, bytes] = [span.after, 0];
  for (const [index, each] of sizes.entries()) {
    bytes += each.bytes;
    if (bytes < SLICE_BYTES && index < sizes.length - 1) continue;
    slices.push({ id, after, upTo: each.seq, limit: sizes.length, without });
    [after, bytes] = [each.seq, 0];
  }
  return slices;
}

/** Lets other work run, and throws if the conversation was deleted meanwhile. Events never change. */
function* pause(db: SqlDatabase, { id }: EventOwner): Work<void> {
  yield PAUSE;
  const row = yield* conversationById(db, id);
  if (row === null || row.stage === 2)
    throw storeError("not_found", "The conversation was deleted while it was being read.");
}

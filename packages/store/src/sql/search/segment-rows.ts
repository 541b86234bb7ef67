/**
 * Stores the segments of the search index as database rows: one row for each segment, with its list of texts and its
 * directory of terms, and one row for each of its blocks of terms.
 *
 * A transaction that changes the segments of a scope locks the row of the scope in `scopes`. SQLite runs one write
 * transaction at a time anyway; PostgreSQL needs the lock, which does not block new conversations.
 */
import type { SqlDatabase } from "../sql-database.ts";
import type { SqlText, Work } from "../work.ts";
import { mergeSegments, type Segment } from "./segment.ts";
import { decodeDirectory, encodeDirectory } from "./term-blocks.ts";
import { decodeTable, encodeTable, type IndexedText, type TextTable } from "./text-table.ts";

export interface SegmentSize {
  readonly id: number;
  readonly bytes: number;
}

export interface OpenSegment {
  readonly id: number;
  readonly table: TextTable;
  readonly directory: readonly string[];
}

interface SegmentRow {
  readonly id: number;
  readonly texts: Uint8Array;
  readonly directory: Uint8Array;
}

/** A block's number is made of its segment's number and its place in it. */
const BLOCKS_PER_SEGMENT = 2 ** 20;

const FIND_SCOPE = "SELECT id FROM scopes WHERE id = ?";
const LOCK_SCOPE = { sqlite: FIND_SCOPE, postgres: `${FIND_SCOPE} FOR NO KEY UPDATE` };
const BLOCKS_BY_NUMBER: SqlText = {
  sqlite: "SELECT id, data FROM search_blocks WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id",
  postgres:
    "SELECT id, data FROM search_blocks WHERE id IN (SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST(? AS JSON))) ORDER BY id",
};

/** Inside a write transaction: no other process changes the scope's segments until it ends. */
export function* lockScope(db: SqlDatabase, scope: number): Work<void> {
  yield* db.get(LOCK_SCOPE, scope);
}

export function* segmentSizes(db: SqlDatabase, scope: number): Work<SegmentSize[]> {
  return yield* db.all<SegmentSize>("SELECT id, bytes FROM search_segments WHERE scope = ? ORDER BY id", scope);
}

export function* openSegment(db: SqlDatabase, id: number): Work<OpenSegment | null> {
  const row = yield* db.get<SegmentRow>("SELECT id, texts, directory FROM search_segments WHERE id = ?", id);
  return row === undefined ? null : { id, table: decodeTable(row.texts), directory: decodeDirectory(row.directory) };
}

export interface BlockPlace {
  readonly segment: number;
  readonly block: number;
}

export function* readBlocks(
  db: SqlDatabase,
  places: readonly BlockPlace[],
): Work<(BlockPlace & { readonly data: Uint8Array })[]> {
  const ids = places.map(({ segment, block }) => segment * BLOCKS_PER_SEGMENT + block);
  const rows = yield* db.all<{ id: number; data: Uint8Array }>(BLOCKS_BY_NUMBER, JSON.stringify(ids));
  return rows.map(({ id, data }) => ({
    segment: Math.floor(id / BLOCKS_PER_SEGMENT),
    block: id % BLOCKS_PER_SEGMENT,
    data,
  }));
}

function* allBlocks(db: SqlDatabase, segment: number): Work<Uint8Array[]> {
  const from = segment * BLOCKS_PER_SEGMENT;
  const sql = "SELECT data FROM search_blocks WHERE id >= ? AND id < ? ORDER BY id";
  return (yield* db.all<{ data: Uint8Array }>(sql, from, from + BLOCKS_PER_SEGMENT)).map(({ data }) => data);
}

export function* writeSegment(db: SqlDatabase, scope: number, segment: Segment): Work<void> {
  const { table, blocks } = segment;
  if (table.count === 0) return;
  const texts = encodeTable(table);
  const directory = encodeDirectory(segment.directory);
  const bytes = blocks.reduce((sum, block) => sum + block.length, texts.length + directory.length);
  const sql = "INSERT INTO search_segments (scope, bytes, texts, directory) VALUES (?, ?, ?, ?) RETURNING id";
  const id = (yield* db.get<{ id: number }>(sql, scope, bytes, texts, directory))?.id ?? 0;
  for (const [nth, data] of blocks.entries())
    yield* db.run("INSERT INTO search_blocks (id, data) VALUES (?, ?)", id * BLOCKS_PER_SEGMENT + nth, data);
}

function* removeSegment(db: SqlDatabase, id: number): Work<void> {
  const from = id * BLOCKS_PER_SEGMENT;
  yield* db.run("DELETE FROM search_blocks WHERE id >= ? AND id < ?", from, from + BLOCKS_PER_SEGMENT);
  yield* db.run("DELETE FROM search_segments WHERE id = ?", id);
}

export function* removeSegments(db: SqlDatabase, scope: number): Work<void> {
  for (const { id } of yield* segmentSizes(db, scope)) yield* removeSegment(db, id);
}

/** Number of segments of similar size that are merged into one. */
const MERGED_AT_ONCE = 8;
const MIN_SEGMENT_BYTES = 8_192;
/** A segment of this size is not merged further, because that would block writers for too long. */
const MAX_SEGMENT_BYTES = 524_288;

/** Inside a transaction that locks the scope: merges segments if there are enough of similar size. */
export function* mergeWhereDue(db: SqlDatabase, scope: number): Work<void> {
  for (;;) {
    const small = (yield* segmentSizes(db, scope)).filter(({ bytes }) => bytes < MAX_SEGMENT_BYTES);
    const tiers = [...Map.groupBy(small, ({ bytes }) => tierOf(bytes))].sort(([a], [b]) => a - b);
    const due = tiers.find(([, segments]) => segments.length >= MERGED_AT_ONCE)?.[1];
    if (due === undefined) return;
    yield* replaceSegments(
      db,
      scope,
      due.map(({ id }) => id),
      () => true,
    );
  }
}

function tierOf(bytes: number): number {
  return bytes < MIN_SEGMENT_BYTES ? 0 : 1 + Math.floor(Math.log(bytes / MIN_SEGMENT_BYTES) / Math.log(MERGED_AT_ONCE));
}

/** Replaces several segments with one that contains the texts accepted by `keeps`. */
export function* replaceSegments(
  db: SqlDatabase,
  scope: number,
  ids: readonly number[],
  keeps: (text: IndexedText) => boolean,
): Work<void> {
  const parts: { readonly table: TextTable; readonly blocks: readonly Uint8Array[] }[] = [];
  for (const id of ids) {
    const segment = yield* openSegment(db, id);
    if (segment !== null) parts.push({ table: segment.table, blocks: yield* allBlocks(db, id) });
  }
  for (const id of ids) yield* removeSegment(db, id);
  yield* writeSegment(db, scope, mergeSegments(parts, keeps));
}

/**
 * The stored form of a snapshot: the state without the data that is in the journal anyway.
 *
 * Blocks and pool rows never change, so a snapshot names their events instead of copying them. A snapshot takes a few
 * bytes per block of the window, whatever their size, and nothing for the pool and the list of turns, which are indexed
 * by seq. Reading a snapshot reads the events of the window.
 */
import { crc32 } from "node:zlib";
import {
  type Clip,
  type Overlay,
  restoreState,
  SNAPSHOT_VERSION,
  type SourceRow,
  type StateSnapshot,
  snapshotState,
  type TimelineState,
} from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import { blockOfRow } from "./block-row.ts";
import { decodeRow, type EventRow } from "./event-row.ts";
import { knownSources } from "./known-sources.ts";
import { journalOf, type Lined, turnsOf } from "./lineage.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { type EventOwner, takeEvents } from "./take-events.ts";
import { fromColumn } from "./text-column.ts";
import type { Work } from "./work.ts";

/** The engine's version and, in the last two digits, the version of the format below. */
export const SNAPSHOT_FORMAT = SNAPSHOT_VERSION * 100 + 3;

/**
 * Programs of the previous format do not know `title.given`. Their snapshots are used unless such an event comes before
 * them: while a cluster is upgraded, an older process may have folded past it.
 */
export const USABLE_SNAPSHOT = `(version = ${SNAPSHOT_FORMAT} OR version = ${SNAPSHOT_FORMAT - 1} AND NOT EXISTS (
  SELECT 1 FROM inputs WHERE inputs.conversation = snapshots.conversation
    AND inputs.kind = 'title.given' AND inputs.seq <= snapshots.seq))`;

/** Seqs of the events of the window's blocks, by position. */
export type WindowSeqs = Map<number, number>;

interface SnapshotBody extends Omit<StateSnapshot, "window" | "sources_pool" | "turn_ids"> {
  readonly window_seqs: readonly number[];
  readonly overlays: readonly (readonly [position: number, overlay: Overlay])[];
  /** Clips of blocks. Absent in snapshots of versions that had no clips. */
  readonly clips?: readonly (readonly [position: number, clip: Clip])[];
  /** CRC-32 of the data from the indexes, as JSON, so that a damaged index is detected. */
  readonly indexed_crc: number;
}

export interface RestoredSnapshot {
  readonly state: TimelineState;
  readonly seqs: WindowSeqs;
}

/** Throws `corrupt` when the seq of an event of the window is unknown. */
export function* encodeSnapshot(
  db: SqlDatabase,
  conversation: Lined,
  folded: RestoredSnapshot & { seq: number },
): Work<string> {
  const { state, seqs, seq } = folded;
  const { window, sources_pool: _, turn_ids, ...rest } = snapshotState(state);
  const body: SnapshotBody = {
    ...rest,
    window_seqs: window.map(({ position }) => seqs.get(position) ?? unknownPosition(position)),
    overlays: window.flatMap(({ position, overlay }) => (overlay === undefined ? [] : [[position, overlay] as const])),
    clips: window.flatMap(({ position, clip }) => (clip === undefined ? [] : [[position, clip] as const])),
    indexed_crc: indexedCrc(turn_ids, yield* poolSeqs(db, conversation, seq)),
  };
  return JSON.stringify(body);
}

function indexedCrc(turnIds: readonly string[], pool: readonly PoolSeq[]): number {
  return crc32(JSON.stringify([turnIds, pool.map(({ sid, seq }) => [sid, seq])]));
}

/** Removes the seqs of blocks that a compaction has dropped. */
export function trimSeqs(state: TimelineState, seqs: WindowSeqs): void {
  if (seqs.size === state.window.length) return;
  for (const position of seqs.keys()) if (state.at(position) === null) seqs.delete(position);
}

export const SNAPSHOT_COLUMNS = "snapshots.conversation AS owner, seq, timeline_seq, crc, body";

export interface SnapshotRow {
  /** The conversation that wrote the snapshot: for a branch, it may be an earlier part. */
  readonly owner: number;
  readonly seq: number;
  readonly timeline_seq: number;
  readonly crc: number;
  readonly body: string;
}

/** Checksum of a snapshot, with conversation and seq: a state at a wrong seq would skip or repeat events. */
export function snapshotCrc(row: Omit<SnapshotRow, "crc">): number {
  return crc32(row.body, crc32(`${row.owner}\n${row.seq}\n${row.timeline_seq}\n`));
}

/** A state reduced to the fields of this snapshot's body, for comparison with snapshots of older programs. */
export function comparableState(state: TimelineState, { body }: SnapshotRow): string {
  const kept = JSON.parse(body) as Partial<SnapshotBody>;
  const { past, sent_position, ...rest } = snapshotState(state);
  return JSON.stringify({
    ...rest,
    ...(kept.past === undefined ? {} : { past }),
    ...(kept.sent_position === undefined ? {} : { sent_position }),
  });
}

/** What is restored of a state besides what its snapshot contains. */
export interface Restoring {
  readonly blocks: boolean;
  /** Converts a source to what the pool keeps of it; null if no source is read. */
  readonly sources: ((row: SourceRow) => SourceRow) | null;
}

export const WHOLE: Restoring = { blocks: true, sources: (row) => row };

/** Restores a state; null when the snapshot itself is damaged. Damage to its events throws `corrupt`. */
export function* decodeSnapshot(
  db: SqlDatabase,
  owner: EventOwner,
  row: SnapshotRow,
  { blocks: withBlocks, sources }: Restoring,
): Work<RestoredSnapshot | null> {
  if (snapshotCrc(row) !== row.crc) return null;
  const { window_seqs, overlays, clips = [], indexed_crc, ...rest } = JSON.parse(row.body) as SnapshotBody;
  const turn_ids = yield* turnIds(db, owner, row.seq);
  const pool = yield* poolSeqs(db, owner, row.seq);
  if (indexedCrc(turn_ids, pool) !== indexed_crc) return null;
  const covers = new Map(overlays);
  const clipped = new Map(clips);
  const seqs: WindowSeqs = new Map();
  const blocks = yield* readEvents(db, owner, withBlocks ? window_seqs : [], (event) => {
    const found = blockOfRow(event);
    if (found === null)
      throw storeError("corrupt", `Event ${event.seq} contains no block. Run cairn doctor to check the store.`, {
        seq: event.seq,
      });
    return found;
  });
  const knownOf = yield* knownSources(db, owner, blocks);
  const window = blocks.map((found) => {
    const { seq, position, block, version, tokens } = found;
    seqs.set(position, seq);
    const overlay = covers.get(position);
    const clip = clipped.get(position);
    return {
      position,
      block,
      version,
      tokens,
      sources_known: knownOf(found),
      ...(overlay === undefined ? {} : { overlay }),
      ...(clip === undefined ? {} : { clip }),
    };
  });
  const snapshot: StateSnapshot = {
    ...rest,
    window,
    turn_ids,
    sources_pool: sources === null ? [] : yield* poolRows(db, owner, pool, sources),
  };
  return { state: restoreState(snapshot), seqs };
}

function* readEvents<T>(
  db: SqlDatabase,
  owner: EventOwner,
  seqs: readonly number[],
  read: (row: EventRow) => T,
): Work<T[]> {
  const wanted = new Set(seqs);
  const found = new Map<number, T>();
  for (const [from, to] of runsOf([...wanted].sort((a, b) => a - b)))
    yield* takeEvents(db, owner, { after: from - 1, upTo: to, limit: to - from + 1 }, (row) => {
      if (wanted.has(row.seq)) found.set(row.seq, read(row));
    });
  return seqs.map((seq) => {
    const row = found.get(seq);
    if (row === undefined)
      throw storeError("corrupt", `Event ${seq} is missing from the journal. Run cairn doctor to check the store.`, {
        seq,
      });
    return row;
  });
}

/** Events at most this many seqs apart are read in one query, with all between: one query is cheaper than two. */
const CLOSE = 16;

function runsOf(ascending: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const seq of ascending) {
    const last = runs.at(-1);
    if (last !== undefined && seq - last[1] <= CLOSE) last[1] = seq;
    else runs.push([seq, seq]);
  }
  return runs;
}

function turnIdsOf(conversation: Lined) {
  const turns = `FROM ${turnsOf(conversation)} AND opened_seq <= ?`;
  return {
    sqlite: `SELECT json_group_array(turn_id ORDER BY ordinal) AS ids ${turns}`,
    postgres: `SELECT json_agg(turn_id ORDER BY ordinal)::text AS ids ${turns}`,
  };
}

/** Reads the ids of all turns as one JSON text. A row for each turn would take most of the loading time. */
export function* turnIds(db: SqlDatabase, conversation: Lined, seq: number): Work<string[]> {
  const found = yield* db.get<{ ids: string }>(turnIdsOf(conversation), conversation.id, seq);
  return (JSON.parse(found?.ids ?? "[]") as string[]).map(fromColumn);
}

interface PoolSeq {
  readonly sid: number;
  readonly seq: number;
}

/** Finds, by SID, the last event up to `seq` that wrote each source. */
function* poolSeqs(db: SqlDatabase, conversation: Lined, seq: number): Work<PoolSeq[]> {
  return yield* db.all<PoolSeq>(
    `SELECT sid, max(seq) AS seq FROM ${journalOf(conversation, "pool")} AND seq <= ? GROUP BY sid ORDER BY sid`,
    conversation.id,
    seq,
  );
}

function* poolRows(
  db: SqlDatabase,
  owner: EventOwner,
  latest: readonly PoolSeq[],
  keep: (row: SourceRow) => SourceRow,
): Work<SourceRow[]> {
  const seqs = [...new Set(latest.map((each) => each.seq))];
  const rowsOf = new Map(
    yield* readEvents(db, owner, seqs, (event) => [event.seq, mergedRows(event).map(keep)] as const),
  );
  return latest.map(({ sid, seq: at }) => {
    const row = rowsOf.get(at)?.findLast((each) => each.sid === sid);
    if (row === undefined)
      throw storeError("corrupt", `Event ${at} has no source ${sid}. Run cairn doctor to check the store.`, {
        seq: at,
        sid,
      });
    return row;
  });
}

function mergedRows(row: EventRow): readonly SourceRow[] {
  const event = decodeRow(row);
  return !("unknown" in event) && event.kind === "sources.merged" ? event.body.rows : [];
}

function unknownPosition(position: number): never {
  throw storeError(
    "corrupt",
    `No known event contains the block at position ${position}. Run cairn doctor to check the store.`,
    { position },
  );
}

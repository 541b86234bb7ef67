/**
 * Artifacts of a conversation. Four kinds are views of the journal, composed when they are read and never rewritten;
 * any other kind was saved by a caller. All artifacts of one call come from one consistent view.
 */
import { composePayload, type Json, payloadSummary, type TimelineState } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import type { StoredArtifact } from "../contract/records.ts";
import { toJson } from "../contract/to-json.ts";
import { blockOfRow } from "./block-row.ts";
import type { ConversationRow } from "./conversations.ts";
import { EVENT_COLUMNS, type EventRow } from "./event-row.ts";
import { journalOf, type Lined } from "./lineage.ts";
import { loadState } from "./load.ts";
import { pageLimit } from "./paging.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { fromColumn, toColumn } from "./text-column.ts";
import type { TurnRow } from "./turn-row.ts";
import { closedTurns, findTurn, turnLog } from "./turns.ts";
import type { Work } from "./work.ts";

const PREFIX = "artifact:";
const TIMELINE = "conv.timeline.v1";
const POOL = "conv:sources_pool";
const TURN_LOG = "turn.log";
const SUMMARY = "conv.range.summary";
const COMPOSED = new Set([TIMELINE, POOL, TURN_LOG, SUMMARY]);

export interface ArtifactToSave {
  readonly kind: string;
  readonly payload: Json;
  readonly content_str?: string;
  readonly turn_id?: string;
  readonly ts?: string;
}

interface SavedRow {
  readonly number: number;
  readonly kind: string;
  readonly turn_id: string | null;
  readonly ts: string;
  readonly content_str: string;
  readonly payload: string;
  /** The seq of the next event. A branch has the artifacts that were saved before the event at its cut. */
  readonly seq: number;
}

const SAVED_COLUMNS = "number, kind, turn_id, ts, content_str, payload, seq";

export function* saveArtifact(
  db: SqlDatabase,
  row: ConversationRow,
  artifact: ArtifactToSave,
  now: number,
): Work<StoredArtifact> {
  const kind = bareKind(artifact.kind);
  if (kind === "" || COMPOSED.has(kind))
    throw storeError(
      "bad_argument",
      `Artifacts of kind "${artifact.kind}" cannot be saved: the store writes this kind itself.`,
      { kind: artifact.kind },
    );
  if (artifact.ts !== undefined && !isIsoUtc(artifact.ts))
    throw storeError("bad_argument", "`ts` must be an ISO 8601 time in UTC, such as 2026-02-09T10:00:00.000Z.");
  const payload = toJson("payload", artifact.payload);
  const number = yield* nextNumber(db, row);
  const saved: SavedRow = {
    number,
    kind: toColumn(kind),
    turn_id: artifact.turn_id === undefined ? null : toColumn(artifact.turn_id),
    ts: toColumn(artifact.ts ?? new Date(now).toISOString()),
    content_str: toColumn(artifact.content_str ?? ""),
    payload,
    seq: row.last_seq + 1,
  };
  yield* insertSaved(db, row.id, saved);
  return describeSaved(saved);
}

/** Whether a time is ISO 8601 in UTC. Artifacts are sorted by this text. */
function isIsoUtc(ts: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(ts) && !Number.isNaN(Date.parse(ts));
}

function* nextNumber(db: SqlDatabase, row: Lined): Work<number> {
  const last = yield* db.get<{ number: number | null }>(
    `SELECT max(number) AS number FROM ${journalOf(row, "artifacts")}`,
    row.id,
  );
  return (last?.number ?? 0) + 1;
}

export function* insertSaved(db: SqlDatabase, conversation: number, saved: SavedRow): Work<void> {
  yield* db.run(
    `INSERT INTO artifacts (conversation, ${SAVED_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    conversation,
    saved.number,
    saved.kind,
    saved.turn_id,
    saved.ts,
    saved.content_str,
    saved.payload,
    saved.seq,
  );
}

export function* savedArtifacts(db: SqlDatabase, row: Lined, after: number, limit: number): Work<SavedRow[]> {
  return yield* db.all<SavedRow>(
    `SELECT ${SAVED_COLUMNS} FROM ${journalOf(row, "artifacts")} AND number > ? ORDER BY number LIMIT ?`,
    row.id,
    after,
    limit,
  );
}

export function* getArtifact(db: SqlDatabase, row: ConversationRow, id: string): Work<StoredArtifact> {
  const found = yield* lookUp(db, row, id);
  if (found === null) throw storeError("not_found", `There is no artifact ${id} in this conversation.`, { id });
  return found;
}

function* lookUp(db: SqlDatabase, row: ConversationRow, given: string): Work<StoredArtifact | null> {
  const id = bareKind(given);
  if (id === TIMELINE) return composeTimeline(row, (yield* loadState(db, row)).state);
  if (id === POOL) return composePool(row, (yield* loadState(db, row)).state);
  if (id.startsWith(`${TURN_LOG}:`)) {
    const turn = yield* findTurn(db, row, id.slice(TURN_LOG.length + 1));
    return turn === null || turn.closed_seq === null
      ? null
      : yield* composeLog(db, row, turn, (yield* loadState(db, row)).state);
  }
  if (id.startsWith(`${SUMMARY}:`)) {
    const position = Number(id.slice(SUMMARY.length + 1));
    return (
      (yield* summaries(db, row, Number.MAX_SAFE_INTEGER)).find((each) => each.id === `${SUMMARY}:${position}`) ?? null
    );
  }
  const number = /^saved:(\d{1,15})$/.exec(id)?.[1];
  const saved = number === undefined ? [] : yield* savedArtifacts(db, row, Number(number) - 1, 1);
  return saved[0] !== undefined && saved[0].number === Number(number) ? describeSaved(saved[0]) : null;
}

export function* recentArtifacts(
  db: SqlDatabase,
  row: ConversationRow,
  options: { readonly kinds: readonly string[]; readonly limit?: number; readonly turn_id?: string },
): Work<StoredArtifact[]> {
  const limit = pageLimit(options.limit, 20);
  const { turn_id } = options;
  let loaded: TimelineState | null = null;
  const state = function* (): Work<TimelineState> {
    loaded ??= (yield* loadState(db, row)).state;
    return loaded;
  };
  const found: StoredArtifact[] = [];
  for (const kind of new Set(options.kinds.map(bareKind))) {
    if (kind === TIMELINE && turn_id === undefined) found.push(composeTimeline(row, yield* state()));
    else if (kind === POOL && turn_id === undefined) found.push(composePool(row, yield* state()));
    else if (kind === TURN_LOG) {
      const one = turn_id === undefined ? null : yield* findTurn(db, row, turn_id);
      const turns = turn_id === undefined ? yield* closedTurns(db, row, limit) : one === null ? [] : [one];
      for (const turn of turns)
        if (turn.closed_seq !== null) found.push(yield* composeLog(db, row, turn, yield* state()));
    } else if (kind === SUMMARY) {
      const all = yield* summaries(db, row, turn_id === undefined ? limit : Number.MAX_SAFE_INTEGER);
      for (const each of all) if (turn_id === undefined || each.turn_id === turn_id) found.push(each);
    } else if (!COMPOSED.has(kind)) found.push(...(yield* recentSaved(db, row, kind, turn_id, limit)));
  }
  // Each kind is sorted newest first. The sort is stable, so artifacts with equal times keep that order.
  return found.sort((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0)).slice(0, limit);
}

function* recentSaved(db: SqlDatabase, row: Lined, kind: string, turn: string | undefined, limit: number) {
  return (yield* db.all<SavedRow>(
    `SELECT ${SAVED_COLUMNS} FROM ${journalOf(row, "artifacts")}
        AND kind = ? AND (CAST(? AS TEXT) IS NULL OR turn_id = ?) ORDER BY ts DESC, number DESC LIMIT ?`,
    row.id,
    toColumn(kind),
    turn === undefined ? null : toColumn(turn),
    turn === undefined ? null : toColumn(turn),
    limit,
  )).map(describeSaved);
}

function composeTimeline(row: ConversationRow, state: TimelineState): StoredArtifact {
  return {
    id: TIMELINE,
    kind: PREFIX + TIMELINE,
    turn_id: null,
    ts: lastActivity(row, state),
    content_str: payloadSummary(state),
    payload: composePayload(state) as unknown as Json,
  };
}

function composePool(row: ConversationRow, state: TimelineState): StoredArtifact {
  return {
    id: POOL,
    kind: PREFIX + POOL,
    turn_id: null,
    ts: lastActivity(row, state),
    content_str: JSON.stringify({ sources_pool_count: state.pool.size }),
    payload: { sources_pool: [...state.pool.rows()] as unknown as Json[] },
  };
}

function* composeLog(db: SqlDatabase, row: ConversationRow, turn: TurnRow, state: TimelineState): Work<StoredArtifact> {
  const { log, summary } = yield* turnLog(db, row, turn, state.pool);
  return {
    id: `${TURN_LOG}:${log.turn_id}`,
    kind: PREFIX + TURN_LOG,
    turn_id: log.turn_id,
    ts: log.ts,
    content_str: summary,
    payload: log as unknown as Json,
  };
}

/** The summaries of all compactions, newest first. */
function* summaries(db: SqlDatabase, row: ConversationRow, limit: number): Work<StoredArtifact[]> {
  const rows = yield* db.all<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM ${journalOf(row, "events")} AND kind = 'compaction.committed'
      ORDER BY seq DESC LIMIT ?`,
    row.id,
    limit,
  );
  return rows.flatMap((each) => {
    const found = blockOfRow(each);
    if (found === null) return [];
    return {
      id: `${SUMMARY}:${found.position}`,
      kind: PREFIX + SUMMARY,
      turn_id: found.block.turn_id ?? null,
      ts: found.block.ts ?? new Date(each.stored_at).toISOString(),
      content_str: found.block.text ?? "",
      payload: found.block as unknown as Json,
    };
  });
}

function describeSaved(row: SavedRow): StoredArtifact {
  return {
    id: `saved:${row.number}`,
    kind: PREFIX + fromColumn(row.kind),
    turn_id: row.turn_id === null ? null : fromColumn(row.turn_id),
    ts: fromColumn(row.ts),
    content_str: fromColumn(row.content_str),
    payload: JSON.parse(row.payload) as Json,
  };
}

function lastActivity(row: ConversationRow, state: TimelineState): string {
  return state.meta.last_activity_at ?? new Date(row.last_activity_at).toISOString();
}

function bareKind(kind: string): string {
  return kind.startsWith(PREFIX) ? kind.slice(PREFIX.length) : kind;
}

/**
 * Appending a batch. Checks and writes are one transaction, so that the token, the expected position and the assigned
 * seqs are checked and set atomically. The token decides who may write, never a clock.
 */
import { INPUT_KINDS, type TimelineEvent } from "@cairn/timeline";
import type { AppendOptions, ConversationStore } from "../contract/conversation-store.ts";
import { storeError } from "../contract/errors.ts";
import type { ConversationKey } from "../contract/scope.ts";
import type { AppendOutcome } from "./append-outcome.ts";
import type { Backend } from "./backend.ts";
import { type ConversationRow, lockConversation } from "./conversations.ts";
import { DerivedWriter, inputKey } from "./derived-writer.ts";
import { eventCrc, type PreparedEvent, prepareEvent } from "./event-row.ts";
import { requireToken } from "./lease.ts";
import { journalOf } from "./lineage.ts";
import { markBlobsUsed } from "./references.ts";
import type { SnapshotKeeper } from "./snapshot-keeper.ts";
import { needsSnapshot } from "./snapshot-rule.ts";
import { addSpending } from "./spending.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { deleteStream } from "./streams.ts";
import { toColumn } from "./text-column.ts";
import type { Work } from "./work.ts";

const INSERT_EVENT = `INSERT INTO events (conversation, seq, batch_end, stored_at, kind, v, crc, body)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

export function prepareEvents(events: readonly TimelineEvent[]): PreparedEvent[] {
  return events.map(prepareEvent);
}

/** Appends events in one transaction and tells the followers. Then snapshots and the search index catch up. */
export function appending({ db, feed, clock }: Backend, snapshots: SnapshotKeeper): ConversationStore["append"] {
  return async (key, events, options = {}) => {
    const prepared = prepareEvents(events);
    const now = Math.floor(clock.now());
    const append = function* () {
      const outcome = yield* appendEvents(db, key, prepared, options, now);
      return { outcome, isBehind: yield* snapshots.noteAppend(outcome) };
    };
    const { outcome, isBehind } = await db.write(append, options.signal).catch((error: unknown) => {
      snapshots.forget();
      throw error;
    });
    const { appended, conversation, written } = outcome;
    if (written.length > 0) feed.notify(conversation.id);
    await snapshots.keepUp(async () => {
      if (isBehind) await snapshots.catchUp(conversation.id);
      if (written.length > 0) await db.texts.keepUp(conversation.scope);
    });
    return appended;
  };
}

function* appendEvents(
  db: SqlDatabase,
  key: ConversationKey,
  events: readonly PreparedEvent[],
  options: AppendOptions,
  now: number,
): Work<AppendOutcome> {
  const row = yield* lockConversation(db, key);
  checkWriter(row, events, options);
  if (options.spent !== undefined) yield* addSpending(db, row.scope, options.spent, now);
  for (const stream of options.dropStreams ?? []) yield* deleteStream(db, row.id, stream);
  return yield* writeBatch(db, row, events, now);
}

export function* writeBatch(
  db: SqlDatabase,
  row: ConversationRow,
  events: readonly PreparedEvent[],
  now: number,
): Work<AppendOutcome> {
  const earlier: (number | null)[] = [];
  for (const { event } of events) earlier.push(yield* earlierSeq(db, row, event));
  const batchEnd = row.last_seq + countNew(events, earlier);
  const derived = new DerivedWriter(db, row);
  const names = new Map<string, number>();
  const written: PreparedEvent[] = [];
  const seqs: number[] = [];
  for (const [index, prepared] of events.entries()) {
    const name = identity(prepared.event);
    const known = earlier[index] ?? (name === null ? undefined : names.get(name));
    const seq = known ?? (yield* writeEvent(db, row, derived, prepared, batchEnd, now));
    seqs.push(seq);
    if (known !== undefined) continue;
    written.push(prepared);
    if (name !== null) names.set(name, seq);
  }
  if (written.length > 0) yield* derived.finish();
  return {
    appended: { seqs, lastSeq: derived.lastSeq, lastTimelineSeq: derived.lastTimelineSeq },
    conversation: row,
    written,
    afterSeq: row.last_seq,
    snapshotDue:
      derived.compacted ||
      needsSnapshot({ events: derived.tailEvents, chars: derived.tailChars, snapshotChars: row.snapshot_chars }),
  };
}

/** Writes one event after the last, and what is derived from it. */
export function* writeEvent(
  db: SqlDatabase,
  row: ConversationRow,
  derived: DerivedWriter,
  { event, body, blobs }: PreparedEvent,
  batchEnd: number,
  storedAt: number,
): Work<number> {
  const seq = yield* derived.add(event, body.length, storedAt);
  const { v } = event;
  const kind = toColumn(event.kind);
  const crc = eventCrc({ seq, batch_end: batchEnd, stored_at: storedAt, kind, v, body });
  yield* db.run(INSERT_EVENT, row.id, seq, batchEnd, storedAt, kind, v, crc, body);
  db.texts.add(row);
  if (blobs.length > 0) yield* markBlobsUsed(db, row, blobs, seq);
  return seq;
}

function checkWriter(row: ConversationRow, events: readonly PreparedEvent[], options: AppendOptions): void {
  const { lease, dropStreams, spent } = options;
  if (lease === undefined) {
    const timeline = events.find(({ event }) => !INPUT_KINDS.has(event.kind));
    if (timeline !== undefined || spent !== undefined || (dropStreams !== undefined && dropStreams.length > 0))
      throw storeError(
        "lease_required",
        "Only the holder of the conversation's lease may append timeline events. Acquire the lease first.",
        { kind: timeline?.event.kind },
      );
    return;
  }
  requireToken(row, lease.token);
  if (lease.expectedSeq !== row.last_timeline_seq)
    throw storeError(
      "conflict",
      `The last timeline event is ${row.last_timeline_seq}, but the writer expected ${lease.expectedSeq}. Load the conversation again.`,
      { expected: lease.expectedSeq, actual: row.last_timeline_seq },
    );
}

function* earlierSeq(db: SqlDatabase, row: ConversationRow, event: TimelineEvent): Work<number | null> {
  const release = releaseKey(event);
  if (release !== null) return yield* earlierRelease(db, row, release);
  const key = inputKey(event);
  if (key === null) return null;
  const known = yield* db.get<{ seq: number }>(
    `SELECT seq FROM ${journalOf(row, "inputs")} AND kind = ? AND key = ?`,
    row.id,
    event.kind,
    toColumn(key),
  );
  return known?.seq ?? null;
}

/** Searches the journal for an earlier release of the turn: such events are rare and have no row in `inputs`. */
function* earlierRelease(db: SqlDatabase, row: ConversationRow, key: string): Work<number | null> {
  const released = yield* db.all<{ seq: number; body: string }>(
    `SELECT seq, body FROM ${journalOf(row, "events")} AND kind = 'turn.released' ORDER BY seq`,
    row.id,
  );
  return released.find(({ body }) => JSON.parse(body).key === key)?.seq ?? null;
}

function releaseKey(event: TimelineEvent): string | null {
  return !("unknown" in event) && event.kind === "turn.released" ? event.body.key : null;
}

/** The number of events that are new; an input may also be repeated within the batch. */
function countNew(events: readonly PreparedEvent[], earlier: readonly (number | null)[]): number {
  const seen = new Set<string>();
  let count = 0;
  for (const [index, { event }] of events.entries()) {
    const name = identity(event);
    if (earlier[index] !== null || (name !== null && seen.has(name))) continue;
    if (name !== null) seen.add(name);
    count++;
  }
  return count;
}

function identity(event: TimelineEvent): string | null {
  const key = releaseKey(event) ?? inputKey(event);
  return key === null ? null : `${event.kind}\n${key}`;
}

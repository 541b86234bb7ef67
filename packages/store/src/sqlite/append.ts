/**
 * Appending a batch. Checks and writes are one transaction, so that the fence, the expected position and the assigned
 * seqs belong to one moment. Whoever may write is decided by the token, never by a clock.
 */
import { INPUT_KINDS, type TimelineEvent } from "@cairn/timeline";
import type { AppendOptions } from "../contract/conversation-store.ts";
import { storeError } from "../contract/errors.ts";
import type { Appended } from "../contract/records.ts";
import type { ConversationKey } from "../contract/scope.ts";
import { type ConversationRow, requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { type PreparedEvent, prepareEvent } from "./event-row.ts";
import { inputKey, JournalWriter } from "./journal-writer.ts";
import { requireToken } from "./lease.ts";
import { needsSnapshot } from "./snapshot-rule.ts";
import { addSpending } from "./spending.ts";
import { deleteStream } from "./streams.ts";
import { toColumn } from "./text-column.ts";

export interface AppendOutcome {
  readonly appended: Appended;
  readonly conversation: number;
  /** The events that were really written, in order, behind `afterSeq`. */
  readonly written: readonly PreparedEvent[];
  readonly afterSeq: number;
  /** The number of the last event written, among all of the database. */
  readonly lastId: number;
  readonly snapshotDue: boolean;
}

export function prepareEvents(events: readonly TimelineEvent[]): PreparedEvent[] {
  return events.map(prepareEvent);
}

/** Inside a write transaction. */
export function appendEvents(
  db: Database,
  key: ConversationKey,
  events: readonly PreparedEvent[],
  options: AppendOptions,
  now: number,
): AppendOutcome {
  const row = requireConversation(db, key);
  checkWriter(row, events, options);
  if (options.spent !== undefined) addSpending(db, row.scope, options.spent, now);
  for (const stream of options.dropStreams ?? []) deleteStream(db, row.id, stream);
  return writeBatch(db, row, events, now);
}

export function writeBatch(
  db: Database,
  row: ConversationRow,
  events: readonly PreparedEvent[],
  now: number,
): AppendOutcome {
  const earlier = events.map((prepared) => earlierSeq(db, row.id, prepared.event));
  const batchEnd = row.last_seq + countNew(events, earlier);
  const writer = new JournalWriter(db, row);
  const names = new Map<string, number>();
  const written: PreparedEvent[] = [];
  const seqs = events.map((prepared, index) => {
    const known = earlier[index] ?? names.get(identity(prepared.event) ?? "");
    if (known !== undefined && known !== null) return known;
    const seq = writer.add(prepared, batchEnd, now);
    const name = identity(prepared.event);
    written.push(prepared);
    if (name !== null) names.set(name, seq);
    return seq;
  });
  if (written.length > 0) writer.finish();
  return {
    appended: { seqs, lastSeq: writer.lastSeq, lastTimelineSeq: writer.lastTimelineSeq },
    conversation: row.id,
    written,
    afterSeq: row.last_seq,
    lastId: writer.lastId,
    snapshotDue:
      writer.compacted ||
      needsSnapshot({ events: writer.tailEvents, chars: writer.tailChars, snapshotChars: row.snapshot_chars }),
  };
}

function checkWriter(row: ConversationRow, events: readonly PreparedEvent[], options: AppendOptions): void {
  const { lease, dropStreams, spent } = options;
  if (lease === undefined) {
    const timeline = events.find(({ event }) => !INPUT_KINDS.has(event.kind));
    if (timeline !== undefined || spent !== undefined || (dropStreams !== undefined && dropStreams.length > 0))
      throw storeError("lease_required", "Only the holder of the conversation's lease may append timeline events.", {
        kind: timeline?.event.kind,
      });
    return;
  }
  requireToken(row, lease.token);
  if (lease.expectedSeq !== row.last_timeline_seq)
    throw storeError(
      "conflict",
      `The last timeline event is ${row.last_timeline_seq}, the writer expected ${lease.expectedSeq}. Load again.`,
      { expected: lease.expectedSeq, actual: row.last_timeline_seq },
    );
}

function earlierSeq(db: Database, conversation: number, event: TimelineEvent): number | null {
  const key = inputKey(event);
  if (key === null) return null;
  const known = db.get<{ seq: number }>(
    "SELECT seq FROM inputs WHERE conversation = ? AND kind = ? AND key = ?",
    conversation,
    event.kind,
    toColumn(key),
  );
  return known?.seq ?? null;
}

/** How many events the batch really adds: an input may be repeated within the batch, too. */
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
  const key = inputKey(event);
  return key === null ? null : `${event.kind}\n${key}`;
}

/**
 * Loads a state from rows: the newest usable snapshot and the events after it, from one consistent view.
 *
 * A snapshot is only a shortcut. If it is damaged or of another version, an older one or the beginning of the journal
 * is used. The journal itself has no substitute: a gap or a damaged event throws `corrupt`.
 */
import { applyEvent, INPUT_KINDS, type TimelineEvent, TimelineState } from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import type { LoadedConversation } from "../contract/records.ts";
import type { ConversationRow } from "./conversations.ts";
import { decodeRow, EVENT_COLUMNS, type EventRow } from "./event-row.ts";
import { decodeSnapshot, type SnapshotRow, USABLE_SNAPSHOT, type WindowSeqs } from "./snapshot-body.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

/** A state during a fold, and the events of the blocks in its window. */
export interface Folding {
  readonly state: TimelineState;
  readonly seqs: WindowSeqs;
  seq: number;
  timelineSeq: number;
}

/** Number of events read at a time, which limits memory. */
const BATCH = 1_000;

export function* loadState(db: SqlDatabase, row: ConversationRow, upTo = row.last_seq): Work<LoadedConversation> {
  const { state, seq, timelineSeq } = yield* loadFolding(db, row, upTo);
  return { state, seq, timelineSeq };
}

export function* loadFolding(db: SqlDatabase, row: ConversationRow, upTo = row.last_seq): Work<Folding> {
  yield* refuseStrays(db, row);
  const folding = (yield* restoreSnapshot(db, row.id, upTo)) ?? beginFolding();
  while (folding.seq < upTo) {
    const rows = yield* eventRows(db, row.id, folding.seq, upTo, BATCH);
    for (const each of rows) {
      if (each.seq !== folding.seq + 1) throw missingEvent(folding.seq + 1);
      foldEvent(folding, decodeRow(each), each.seq);
    }
    if (rows.length === 0) throw missingEvent(folding.seq + 1);
  }
  return folding;
}

export function beginFolding(): Folding {
  return { state: new TimelineState(), seqs: new Map(), seq: 0, timelineSeq: 0 };
}

export function foldEvent(folding: Folding, event: TimelineEvent, seq: number): void {
  applyEvent(folding.state, event);
  if (!("unknown" in event) && (event.kind === "block.appended" || event.kind === "compaction.committed"))
    folding.seqs.set(event.body.position, seq);
  folding.seq = seq;
  if (!INPUT_KINDS.has(event.kind)) folding.timelineSeq = seq;
}

export function* eventRows(
  db: SqlDatabase,
  conversation: number,
  after: number,
  upTo: number,
  limit: number,
): Work<EventRow[]> {
  return yield* db.all<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
    conversation,
    after,
    upTo,
    limit,
  );
}

/** Like `eventRows`, for readers: throws `corrupt` if an event after `after` is missing. */
export function* journalRows(db: SqlDatabase, row: ConversationRow, after: number, limit: number): Work<EventRow[]> {
  yield* refuseStrays(db, row);
  const rows = yield* eventRows(db, row.id, after, row.last_seq, limit);
  for (const [index, each] of rows.entries()) if (each.seq !== after + 1 + index) throw missingEvent(after + 1 + index);
  if (rows.length < Math.min(limit, row.last_seq - after)) throw missingEvent(after + 1 + rows.length);
  return rows;
}

function* restoreSnapshot(db: SqlDatabase, conversation: number, upTo: number): Work<Folding | null> {
  let before = upTo;
  for (;;) {
    const row = yield* db.get<SnapshotRow>(
      `SELECT seq, timeline_seq, crc, body FROM snapshots
        WHERE conversation = ? AND seq <= ? AND ${USABLE_SNAPSHOT} ORDER BY seq DESC LIMIT 1`,
      conversation,
      before,
    );
    if (row === undefined) return null;
    const restored = yield* decodeSnapshot(db, conversation, row);
    if (restored !== null) return { ...restored, seq: row.seq, timelineSeq: row.timeline_seq };
    before = row.seq - 1;
  }
}

/**
 * Finds an event after the last one that the conversation's row names. The row is wrong then, and stopping there would
 * lose events.
 */
function* refuseStrays(db: SqlDatabase, row: ConversationRow): Work<void> {
  const stray = yield* db.get("SELECT 1 FROM events WHERE conversation = ? AND seq > ? LIMIT 1", row.id, row.last_seq);
  if (stray !== undefined)
    throw storeError(
      "corrupt",
      `The journal continues after event ${row.last_seq}, where the conversation record ends. Run verify.`,
      { seq: row.last_seq },
    );
}

export function missingEvent(seq: number) {
  return storeError("corrupt", `Event ${seq} is missing from the journal. Run verify.`, { seq });
}

/**
 * Loads a state from rows: the newest usable snapshot and the events after it, from one consistent view.
 *
 * A snapshot is only a shortcut. If a snapshot is damaged or of another version, an older snapshot or the beginning of
 * the journal is used. The journal itself has no substitute: a gap or a damaged event throws `corrupt`.
 */
import { applyEvent, INPUT_KINDS, type TimelineEvent, TimelineState } from "@cairn/timeline";
import type { ConversationStore } from "../contract/conversation-store.ts";
import { storeError } from "../contract/errors.ts";
import type { LoadedConversation, StoredEvent } from "../contract/records.ts";
import { type ConversationRow, requireConversation } from "./conversations.ts";
import { decodeRow, readEventRow } from "./event-row.ts";
import { journalOf } from "./lineage.ts";
import {
  decodeSnapshot,
  type Restoring,
  SNAPSHOT_COLUMNS,
  type SnapshotRow,
  USABLE_SNAPSHOT,
  WHOLE,
  type WindowSeqs,
} from "./snapshot-body.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { type EventOwner, takeEvents } from "./take-events.ts";
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

export function loading(db: SqlDatabase): ConversationStore["load"] {
  return (key, { signal } = {}) =>
    db.read(function* () {
      return yield* loadState(db, yield* requireConversation(db, key));
    }, signal);
}

export function* loadState(db: SqlDatabase, row: ConversationRow, upTo = row.last_seq): Work<LoadedConversation> {
  const { state, seq, timelineSeq } = yield* loadFolding(db, row, upTo);
  return { state, seq, timelineSeq };
}

export function* loadFolding(db: SqlDatabase, row: ConversationRow, upTo = row.last_seq): Work<Folding> {
  yield* refuseStrays(db, row);
  const folding = (yield* restoreSnapshot(db, row, upTo, WHOLE)) ?? beginFolding();
  yield* foldOn(db, row, folding, upTo);
  return folding;
}

export function* foldOn(db: SqlDatabase, row: ConversationRow, folding: Folding, upTo = row.last_seq): Work<void> {
  while (folding.seq < upTo) {
    const read = yield* takeEvents(db, row, { after: folding.seq, upTo, limit: BATCH }, (each) => {
      if (each.seq !== folding.seq + 1) throw missingEvent(folding.seq + 1);
      foldEvent(folding, decodeRow(each), each.seq);
    });
    if (read.length === 0) throw missingEvent(folding.seq + 1);
  }
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

/** Like `takeEvents`, but throws `corrupt` if an event after `after` is missing, unless kinds are left out. */
export function* journalEvents(
  db: SqlDatabase,
  row: ConversationRow,
  { after, limit, without }: { readonly after: number; readonly limit: number; readonly without: readonly string[] },
): Work<StoredEvent[]> {
  yield* refuseStrays(db, row);
  const events = yield* takeEvents(db, row, { after, upTo: row.last_seq, limit, without }, readEventRow);
  if (without.length > 0) return events;
  for (const [index, each] of events.entries())
    if (each.seq !== after + 1 + index) throw missingEvent(after + 1 + index);
  if (events.length < Math.min(limit, row.last_seq - after)) throw missingEvent(after + 1 + events.length);
  return events;
}

export function* restoreSnapshot(
  db: SqlDatabase,
  owner: EventOwner,
  upTo: number,
  restoring: Restoring,
): Work<Folding | null> {
  let before = upTo;
  for (;;) {
    const row = yield* db.get<SnapshotRow>(
      `SELECT ${SNAPSHOT_COLUMNS} FROM ${journalOf(owner, "snapshots")}
        AND seq <= ? AND ${USABLE_SNAPSHOT} ORDER BY seq DESC LIMIT 1`,
      owner.id,
      before,
    );
    if (row === undefined) return null;
    const restored = yield* decodeSnapshot(db, owner, row, restoring);
    if (restored !== null) return { ...restored, seq: row.seq, timelineSeq: row.timeline_seq };
    before = row.seq - 1;
  }
}

/** Finds an event after the last one that the conversation's row names: stopping there would lose events. */
export function* refuseStrays(db: SqlDatabase, row: ConversationRow): Work<void> {
  const stray = yield* db.get("SELECT 1 FROM events WHERE conversation = ? AND seq > ? LIMIT 1", row.id, row.last_seq);
  if (stray !== undefined)
    throw storeError(
      "corrupt",
      `The journal has events after event ${row.last_seq}, which the conversation's database row names as the last. Run cairn doctor to check the store.`,
      { seq: row.last_seq },
    );
}

export function missingEvent(seq: number) {
  return storeError("corrupt", `Event ${seq} is missing from the journal. Run cairn doctor to check the store.`, {
    seq,
  });
}

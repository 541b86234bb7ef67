/**
 * From rows to a state: the newest usable snapshot and the events behind it, from one consistent view.
 *
 * A snapshot is only ever a shortcut. One that is damaged, or of another version, is passed over for an older one or
 * for the beginning of the journal. The journal itself has no stand-in: a gap or a damaged event is `corrupt`.
 */
import { crc32 } from "node:zlib";
import {
  applyEvent,
  INPUT_KINDS,
  restoreState,
  SNAPSHOT_VERSION,
  type StateSnapshot,
  snapshotState,
  TimelineState,
} from "@cairn/timeline";
import { storeError } from "../contract/errors.ts";
import type { LoadedConversation } from "../contract/records.ts";
import { type ConversationRow, conversationById } from "./conversations.ts";
import type { Database } from "./database.ts";
import { decodeRow, EVENT_COLUMNS, type EventRow } from "./event-row.ts";
import { keepsSnapshot, needsSnapshot } from "./snapshot-rule.ts";

interface SnapshotRow {
  readonly seq: number;
  readonly timeline_seq: number;
  readonly crc: number;
  readonly body: string;
}

interface MutableLoaded {
  readonly state: TimelineState;
  seq: number;
  timelineSeq: number;
}

/** How many events are read at a time: bounds the memory that rows take beside the state. */
const BATCH = 1_000;

export function loadState(db: Database, row: ConversationRow, upTo = row.last_seq): LoadedConversation {
  const loaded = restoreSnapshot(db, row.id, upTo) ?? { state: new TimelineState(), seq: 0, timelineSeq: 0 };
  while (loaded.seq < upTo) {
    const rows = eventRows(db, row.id, loaded.seq, upTo, BATCH);
    for (const each of rows) {
      if (each.seq !== loaded.seq + 1) throw missingEvent(loaded.seq + 1);
      applyEvent(loaded.state, decodeRow(each));
      loaded.seq = each.seq;
      if (!INPUT_KINDS.has(each.kind)) loaded.timelineSeq = each.seq;
    }
    if (rows.length === 0) throw missingEvent(loaded.seq + 1);
  }
  return loaded;
}

export function eventRows(db: Database, conversation: number, after: number, upTo: number, limit: number): EventRow[] {
  return db.all<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
    conversation,
    after,
    upTo,
    limit,
  );
}

function restoreSnapshot(db: Database, conversation: number, upTo: number): MutableLoaded | null {
  let before = upTo;
  for (;;) {
    const row = db.get<SnapshotRow>(
      `SELECT seq, timeline_seq, crc, body FROM snapshots
        WHERE conversation = ? AND seq <= ? AND version = ? ORDER BY seq DESC LIMIT 1`,
      conversation,
      before,
      SNAPSHOT_VERSION,
    );
    if (row === undefined) return null;
    const state = crc32(row.body) === row.crc ? restoreState(JSON.parse(row.body) as StateSnapshot) : null;
    if (state !== null) return { state, seq: row.seq, timelineSeq: row.timeline_seq };
    before = row.seq - 1;
  }
}

/** Inside a write transaction. Does nothing when another process has just done it. */
export function writeSnapshot(db: Database, conversation: number, force: boolean): void {
  const row = conversationById(db, conversation);
  if (row === null || row.tail_events === 0) return;
  const due = needsSnapshot({ events: row.tail_events, chars: row.tail_chars, snapshotChars: row.snapshot_chars });
  if (!force && !due) return;
  const { state, seq, timelineSeq } = loadState(db, row);
  const body = JSON.stringify(snapshotState(state));
  const kept = db.all<{ id: number; ordinal: number }>(
    "SELECT id, ordinal FROM snapshots WHERE conversation = ?",
    conversation,
  );
  const ordinal = 1 + kept.reduce((most, each) => Math.max(most, each.ordinal), 0);
  for (const each of kept)
    if (!keepsSnapshot(each.ordinal, ordinal)) db.run("DELETE FROM snapshots WHERE id = ?", each.id);
  db.run(
    `INSERT INTO snapshots (conversation, seq, timeline_seq, ordinal, version, crc, body) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (conversation, seq) DO NOTHING`,
    conversation,
    seq,
    timelineSeq,
    ordinal,
    SNAPSHOT_VERSION,
    crc32(body),
    body,
  );
  db.run(
    "UPDATE conversations SET tail_events = 0, tail_chars = 0, snapshot_chars = ? WHERE id = ?",
    body.length,
    conversation,
  );
}

function missingEvent(seq: number) {
  return storeError("corrupt", `Event ${seq} is missing from the journal. Run verify.`, { seq });
}

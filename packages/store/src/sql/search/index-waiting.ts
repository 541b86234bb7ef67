/**
 * Indexing follows the journals: `conversations.indexed_seq` is the last indexed event of a conversation; later events
 * wait. One transaction turns a batch of waiting events of a scope into one segment.
 */
import { indexRows, type TextRow, type TimelineEvent } from "@cairn/timeline";
import { analyseText } from "../../recall/analyse.ts";
import type { SqlDatabase } from "../sql-database.ts";
import { fromColumn } from "../text-column.ts";
import type { Work } from "../work.ts";
import { buildSegment, type TextToIndex } from "./segment.ts";
import { lockScope, mergeWhereDue, writeSegment } from "./segment-rows.ts";
import { codeOf } from "./text-table.ts";

/** Maximum number of events that one transaction indexes. */
const PIECE = 1_000;
const PIECE_CHARS = 200_000;

interface IndexedRow {
  readonly id: number;
  readonly seq: number;
  readonly stored_at: number;
  readonly kind: string;
  readonly v: number;
  readonly body: string;
}

interface WaitingConversation {
  readonly id: number;
  readonly indexed_seq: number;
  readonly last_seq: number;
}

const WAITING = `SELECT id, indexed_seq, last_seq FROM conversations
WHERE scope = ? AND stage IN (0, 3) AND indexed_seq < last_seq ORDER BY id LIMIT ?`;
const EVENTS = `SELECT id, seq, stored_at, kind, v, body FROM events
WHERE conversation = ? AND seq > ? AND seq <= ? AND kind IN ('block.appended', 'compaction.committed') ORDER BY seq`;

export function* countWaiting(db: SqlDatabase, scope: number): Work<number> {
  const sql = `SELECT coalesce(sum(last_seq - indexed_seq), 0) AS waiting FROM conversations
    WHERE scope = ? AND stage IN (0, 3) AND indexed_seq < last_seq`;
  return Number((yield* db.get<{ waiting: number }>(sql, scope))?.waiting ?? 0);
}

/** Indexes the next events of the scope. Runs inside a write transaction. */
export function* indexPiece(db: SqlDatabase, scope: number): Work<void> {
  yield* lockScope(db, scope);
  const texts: TextToIndex[] = [];
  let events = 0;
  let chars = 0;
  for (const { id, indexed_seq, last_seq } of yield* db.all<WaitingConversation>(WAITING, scope, PIECE)) {
    let seq = indexed_seq;
    while (seq < last_seq && events < PIECE && chars < PIECE_CHARS) {
      let to = Math.min(last_seq, seq + 100);
      const turns = yield* turnTimes(db, id, seq, to);
      for (const row of yield* db.all<IndexedRow>(EVENTS, id, seq, to)) {
        chars += row.body.length;
        texts.push(...textsIn(id, row, turns));
        if (chars < PIECE_CHARS) continue;
        to = row.seq;
        break;
      }
      events += to - seq;
      seq = to;
    }
    yield* db.run("UPDATE conversations SET indexed_seq = ? WHERE id = ?", seq, id);
    if (events >= PIECE || chars >= PIECE_CHARS) break;
  }
  if (texts.length === 0) return;
  yield* writeSegment(db, scope, buildSegment(texts));
  yield* mergeWhereDue(db, scope);
}

/** The texts of an event to index. `turns` gives the start of each turn. */
function textsIn(conversation: number, row: IndexedRow, turns: ReadonlyMap<string, number>): TextToIndex[] {
  return textRows(row).flatMap((text) => {
    const { terms, counts, length } = analyseText(text.text);
    if (terms.length === 0) return [];
    const time = timeOf(text.ts) ?? turns.get(text.turn_id ?? "") ?? row.stored_at;
    const kind = codeOf(text.type);
    return [{ conversation, event: row.id, length, kind, time: Math.floor(time / 1_000), terms, counts }];
  });
}

/** Damaged events have no texts; loading and verify report them. */
function textRows(row: IndexedRow): readonly TextRow[] {
  try {
    const event = { kind: fromColumn(row.kind), v: row.v, body: JSON.parse(row.body) as unknown } as TimelineEvent;
    return indexRows(event).texts;
  } catch {
    return [];
  }
}

function timeOf(ts: string | null): number | null {
  const time = ts === null ? Number.NaN : Date.parse(ts);
  return Number.isNaN(time) ? null : time;
}

/** Start times of the turns of these events. A block that came later than its turn has the time it was stored. */
function* turnTimes(db: SqlDatabase, conversation: number, after: number, to: number): Work<Map<string, number>> {
  const sql = `SELECT turn_id, opened_at FROM turns
    WHERE conversation = ? AND opened_seq <= ? AND (last_seq > ? OR closed_seq IS NULL)`;
  const rows = yield* db.all<{ turn_id: string; opened_at: string | null }>(sql, conversation, to, after);
  const times = new Map<string, number>();
  for (const { turn_id, opened_at } of rows) {
    const time = timeOf(opened_at);
    if (time !== null) times.set(fromColumn(turn_id), time);
  }
  return times;
}

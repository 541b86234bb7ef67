/**
 * Which events a turn spans, kept as they are written. A turn begins with `turn.opened`, or with its first block when
 * nobody opened it; until it closes, each of its blocks moves its end, and blocks that come later are listed one by one. One row per turn
 * is written per batch.
 */
import type { TimelineEvent } from "@cairn/timeline";
import type { Database } from "./database.ts";
import { toColumn } from "./text-column.ts";

export interface TurnRow {
  ordinal: number;
  turn_id: string;
  opened_seq: number;
  last_seq: number;
  closed_seq: number | null;
  opened_at: string | null;
  closed_at: string | null;
  exit: string | null;
}

export const TURN_COLUMNS = "ordinal, turn_id, opened_seq, last_seq, closed_seq, opened_at, closed_at, exit";

export class TurnIndex {
  readonly #db: Database;
  readonly #conversation: number;
  readonly #touched = new Map<string, TurnRow>();
  #count: number;

  constructor(db: Database, conversation: number, count: number) {
    this.#db = db;
    this.#conversation = conversation;
    this.#count = count;
  }

  note(event: TimelineEvent, seq: number): void {
    if ("unknown" in event) return;
    switch (event.kind) {
      case "turn.opened": {
        const turn = this.#turn(event.body.turn_id, seq);
        turn.opened_at ??= toColumn(event.body.ts);
        turn.closed_seq = null;
        turn.last_seq = seq;
        break;
      }
      case "turn.closed": {
        const turn = this.#known(event.body.turn_id);
        if (turn === null) break;
        turn.closed_seq = seq;
        turn.last_seq = seq;
        turn.closed_at = toColumn(event.body.ts);
        turn.exit = toColumn(event.body.exit);
        break;
      }
      case "block.appended":
        this.#noteBlock(event.body.block.turn_id, seq);
        break;
      case "compaction.committed":
        this.#noteBlock(event.body.summary.turn_id, seq);
        break;
    }
  }

  /** Writes the rows and gives the number of turns. */
  finish(): number {
    for (const turn of this.#touched.values())
      this.#db.run(
        `INSERT INTO turns (conversation, ${TURN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (conversation, ordinal) DO UPDATE SET last_seq = excluded.last_seq,
          closed_seq = excluded.closed_seq, opened_at = excluded.opened_at, closed_at = excluded.closed_at,
          exit = excluded.exit`,
        this.#conversation,
        turn.ordinal,
        turn.turn_id,
        turn.opened_seq,
        turn.last_seq,
        turn.closed_seq,
        turn.opened_at,
        turn.closed_at,
        turn.exit,
      );
    this.#touched.clear();
    return this.#count;
  }

  #noteBlock(turnId: string | undefined, seq: number): void {
    if (turnId === undefined || turnId === "") return;
    const turn = this.#turn(turnId, seq);
    if (turn.closed_seq === null) turn.last_seq = seq;
    else
      this.#db.run(
        "INSERT INTO late_blocks (conversation, turn, seq) VALUES (?, ?, ?)",
        this.#conversation,
        turn.ordinal,
        seq,
      );
  }

  #turn(turnId: string, seq: number): TurnRow {
    const known = this.#known(turnId);
    if (known !== null) return known;
    const turn: TurnRow = {
      ordinal: ++this.#count,
      turn_id: toColumn(turnId),
      opened_seq: seq,
      last_seq: seq,
      closed_seq: null,
      opened_at: null,
      closed_at: null,
      exit: null,
    };
    this.#touched.set(turn.turn_id, turn);
    return turn;
  }

  #known(turnId: string): TurnRow | null {
    const column = toColumn(turnId);
    const touched = this.#touched.get(column);
    if (touched !== undefined) return touched;
    const stored = this.#db.get<TurnRow>(
      `SELECT ${TURN_COLUMNS} FROM turns WHERE conversation = ? AND turn_id = ?`,
      this.#conversation,
      column,
    );
    if (stored === undefined) return null;
    const turn = { ...stored };
    this.#touched.set(column, turn);
    return turn;
  }
}

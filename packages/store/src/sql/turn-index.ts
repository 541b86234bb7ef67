/**
 * The events that each turn spans, recorded as they are written. A turn begins with `turn.opened`, or with its first
 * block if there is no such event. An open turn that is the last one is the current turn of the conversation: this turn
 * spans everything up to the last event, and its blocks need no rows. When the turn closes, or another turn
 * begins, its end is written; blocks that come after that are listed one by one.
 *
 * Rows change when a turn is closed, continued or released. A branch must not see changes after its cut, so before a
 * row changes, every branch that reads it gets a copy of the old row.
 */
import type { TimelineEvent } from "@cairn/timeline";
import type { ConversationRow } from "./conversations.ts";
import { turnOf } from "./lineage.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { toColumn } from "./text-column.ts";
import { TURN_COLUMNS, type TurnRow } from "./turn-row.ts";
import type { Work } from "./work.ts";

export class TurnIndex {
  readonly #db: SqlDatabase;
  readonly #conversation: ConversationRow;
  readonly #touched = new Map<string, TurnRow>();
  /** The rows of turns as they were stored; a new turn has none. */
  readonly #stored = new Map<string, TurnRow>();
  #count: number;
  #current: string | null;

  constructor(db: SqlDatabase, row: ConversationRow) {
    this.#db = db;
    this.#conversation = row;
    this.#count = row.turns;
    this.#current = row.current_turn;
  }

  *note(event: TimelineEvent, seq: number): Work<void> {
    if ("unknown" in event) return;
    switch (event.kind) {
      case "turn.opened": {
        const turn = yield* this.#turn(event.body.turn_id, seq);
        turn.opened_at ??= toColumn(event.body.ts);
        turn.closed_seq = null;
        if (turn.ordinal === this.#count) this.#current = turn.turn_id;
        break;
      }
      case "turn.closed": {
        const turn = yield* this.#known(event.body.turn_id);
        if (turn === null) break;
        turn.closed_seq = seq;
        turn.last_seq = seq;
        turn.closed_at = toColumn(event.body.ts);
        turn.exit = toColumn(event.body.exit);
        if (this.#current === turn.turn_id) this.#current = null;
        break;
      }
      case "turn.released": {
        const turn = yield* this.#known(event.body.turn_id);
        if (turn?.exit === "quarantined") turn.exit = "released";
        break;
      }
      case "block.appended":
        yield* this.#noteBlock(event.body.block.turn_id, seq);
        break;
      case "compaction.committed":
        yield* this.#noteBlock(event.body.summary.turn_id, seq);
        break;
    }
  }

  *finish(): Work<{ readonly turns: number; readonly currentTurn: string | null }> {
    const { id, kept_seq } = this.#conversation;
    for (const [column, turn] of this.#touched) {
      const before = this.#stored.get(column);
      if (before !== undefined && before.opened_seq <= kept_seq)
        for (const branch of yield* branchesFrom(this.#db, id, before.opened_seq))
          yield* writeTurn(this.#db, branch.id, before, "DO NOTHING");
      yield* writeTurn(this.#db, id, turn, REPLACE);
    }
    this.#touched.clear();
    this.#stored.clear();
    return { turns: this.#count, currentTurn: this.#current };
  }

  *#noteBlock(turnId: string | undefined, seq: number): Work<void> {
    if (turnId === undefined || turnId === "") return;
    const column = toColumn(turnId);
    if (column === this.#current) return;
    const turn = yield* this.#known(turnId);
    if (turn === null) yield* this.#turn(turnId, seq);
    else
      yield* this.#db.run(
        "INSERT INTO late_blocks (conversation, turn, seq) VALUES (?, ?, ?)",
        this.#conversation.id,
        turn.ordinal,
        seq,
      );
  }

  /** Finds the turn; a new turn becomes the current one. */
  *#turn(turnId: string, seq: number): Work<TurnRow> {
    const known = yield* this.#known(turnId);
    if (known !== null) return known;
    const before = this.#current === null ? null : yield* this.#knownColumn(this.#current);
    if (before !== null) before.last_seq = seq - 1;
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
    this.#current = turn.turn_id;
    return turn;
  }

  *#known(turnId: string): Work<TurnRow | null> {
    return yield* this.#knownColumn(toColumn(turnId));
  }

  *#knownColumn(column: string): Work<TurnRow | null> {
    const touched = this.#touched.get(column);
    if (touched !== undefined) return touched;
    const stored = yield* turnOf(this.#db, this.#conversation, "turn_id", column);
    if (stored === null) return null;
    const turn = { ...stored };
    this.#stored.set(column, stored);
    this.#touched.set(column, turn);
    return turn;
  }
}

/** The branches that read the turn of the conversation that began at `openedSeq`. */
function* branchesFrom(db: SqlDatabase, conversation: number, openedSeq: number): Work<{ readonly id: number }[]> {
  return yield* db.all<{ id: number }>(
    "SELECT id FROM conversations WHERE parent = ? AND cut >= ?",
    ...[conversation, openedSeq],
  );
}

const REPLACE = `(conversation, ordinal) DO UPDATE SET last_seq = excluded.last_seq, closed_seq = excluded.closed_seq,
  opened_at = excluded.opened_at, closed_at = excluded.closed_at, exit = excluded.exit`;

export function* writeTurn(
  db: SqlDatabase,
  conversation: number,
  turn: TurnRow,
  ifThere: typeof REPLACE | "DO NOTHING",
): Work<void> {
  yield* db.run(
    `INSERT INTO turns (conversation, ${TURN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT ${ifThere}`,
    conversation,
    turn.ordinal,
    turn.turn_id,
    turn.opened_seq,
    turn.last_seq,
    turn.closed_seq,
    turn.opened_at,
    turn.closed_at,
    turn.exit,
  );
}

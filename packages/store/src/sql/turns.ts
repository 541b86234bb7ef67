/** Turns rebuilt from the events they span, without folding the rest of the conversation. */
import {
  applyEvent,
  type Block,
  CairnError,
  composeTurnLog,
  type EventKind,
  parseBlock,
  type TimelineEvent,
  type TimelineState,
  type TurnLog,
  turnArtifacts,
  turnLogSummary,
} from "@cairn/timeline";
import type { Page, PageOptions } from "../contract/call-options.ts";
import type { FoundBlock, StoredTurn } from "../contract/records.ts";
import { blockOfRow, stateOfBlocks } from "./block-row.ts";
import type { ConversationRow } from "./conversations.ts";
import { decodeRow, EVENT_COLUMNS, type EventRow } from "./event-row.ts";
import { journalOf, turnOf, turnsOf } from "./lineage.ts";
import { loadState } from "./load.ts";
import { decodeCursor, encodeCursor, pageLimit } from "./paging.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { takeEvents } from "./take-events.ts";
import { fromColumn, toColumn } from "./text-column.ts";
import { TURN_COLUMNS, type TurnRow } from "./turn-row.ts";
import type { Work } from "./work.ts";

export interface TurnLogRecord {
  readonly log: TurnLog;
  readonly summary: string;
}

type Pool = TimelineState["pool"];

export function* listTurns(db: SqlDatabase, row: ConversationRow, options: PageOptions): Work<Page<StoredTurn>> {
  const limit = pageLimit(options.limit, 50);
  const [after = 0] = decodeCursor(options.cursor, 1) ?? [];
  const rows = yield* db.all<TurnRow>(
    `SELECT ${TURN_COLUMNS} FROM ${turnsOf(row)} AND ordinal > ? ORDER BY ordinal LIMIT ?`,
    row.id,
    after,
    limit + 1,
  );
  const turns = rows.slice(0, limit);
  const pool = (yield* loadState(db, row)).state.pool;
  const last = turns.at(-1);
  const items: StoredTurn[] = [];
  for (const turn of turns) items.push(yield* describeTurn(db, row, turn, pool));
  return { items, next: rows.length > limit && last !== undefined ? encodeCursor(last.ordinal) : null };
}

function* describeTurn(db: SqlDatabase, row: ConversationRow, turn: TurnRow, pool: Pool): Work<StoredTurn> {
  const turn_id = fromColumn(turn.turn_id);
  const { state } = yield* readTurn(db, row, turn, pool, yield* lateBlocks(db, row, turn));
  return {
    turn_id,
    opened_seq: turn.opened_seq,
    closed_seq: turn.closed_seq,
    opened_at: turn.opened_at === null ? null : fromColumn(turn.opened_at),
    closed_at: turn.closed_at === null ? null : fromColumn(turn.closed_at),
    exit: turn.exit === null ? null : fromColumn(turn.exit),
    view: turnArtifacts(state, turn_id) ?? {
      turn_id,
      prompt: null,
      completion: null,
      attachments: [],
      files: [],
      citations: [],
      followups: [],
    },
  };
}

export function findTurn(db: SqlDatabase, row: ConversationRow, turnId: string): Work<TurnRow | null> {
  return turnOf(db, row, "turn_id", toColumn(turnId));
}

export function* closedTurns(db: SqlDatabase, row: ConversationRow, limit: number): Work<TurnRow[]> {
  return yield* db.all<TurnRow>(
    `SELECT ${TURN_COLUMNS} FROM ${turnsOf(row)} AND closed_seq IS NOT NULL ORDER BY ordinal DESC LIMIT ?`,
    row.id,
    limit,
  );
}

/** The log of a closed turn: its blocks as they were then, and the last announcement. */
export function* turnLog(db: SqlDatabase, row: ConversationRow, turn: TurnRow, pool: Pool): Work<TurnLogRecord> {
  const { state, announced } = yield* readTurn(db, row, turn, pool, []);
  const turnId = fromColumn(turn.turn_id);
  const log = composeTurnLog(state, turnId, turn.closed_at === null ? "" : fromColumn(turn.closed_at), announced);
  return { log, summary: turnLogSummary(state, turnId) };
}

/** Events that change how the model sees blocks. */
const OVERLAYS: ReadonlySet<string> = new Set<EventKind>(["blocks.hidden", "blocks.pruned", "blocks.clipped"]);

/**
 * A state with the blocks of one turn, with the overlays at the end of the turn. `turn.closed` may carry the turn's
 * last announcement in `announced`: the log contains it, the timeline never does.
 */
function* readTurn(
  db: SqlDatabase,
  conversation: ConversationRow,
  turn: TurnRow,
  pool: Pool,
  late: readonly FoundBlock[],
) {
  const turnId = fromColumn(turn.turn_id);
  const blocks: FoundBlock[] = [];
  const overlays: TimelineEvent[] = [];
  let announced: Block | null = null;
  const end = endOf(conversation, turn);
  const span = { after: turn.opened_seq - 1, upTo: end, limit: end - turn.opened_seq + 1 };
  yield* takeEvents(db, conversation, span, (row) => {
    const found = blockOfRow(row);
    if (found !== null) {
      if (found.block.turn_id === turnId) blocks.push(found);
      return;
    }
    const event = decodeRow(row);
    if ("unknown" in event) return;
    if (OVERLAYS.has(event.kind)) overlays.push(event);
    if (event.kind === "turn.closed" && row.seq === turn.closed_seq && event.body.announced !== undefined)
      announced = readAnnounced(event.body.announced);
  });
  const state = yield* stateOfBlocks(db, conversation, [...blocks, ...late]);
  for (const event of overlays) applyEvent(state, event);
  state.pool = pool;
  return { state, announced };
}

/** The schema of the event does not check `announced`, so a value that is not a block is ignored. */
function readAnnounced(value: unknown): Block | null {
  try {
    return parseBlock(value, "announced");
  } catch (error) {
    if (CairnError.is(error) && error.code === "bad_block") return null;
    throw error;
  }
}

/** Seq of the turn's last event; for the open turn, seq of the conversation's last event. */
function endOf(row: ConversationRow, turn: TurnRow): number {
  return turn.closed_seq ?? (row.current_turn === turn.turn_id ? row.last_seq : turn.last_seq);
}

function* lateBlocks(db: SqlDatabase, row: ConversationRow, turn: TurnRow): Work<FoundBlock[]> {
  return (yield* db.all<EventRow>(
    `SELECT ${EVENT_COLUMNS} FROM ${journalOf(row, "events")} AND seq IN
        (SELECT seq FROM ${journalOf(row, "late_blocks")} AND turn = ? AND seq > ?) ORDER BY seq`,
    row.id,
    row.id,
    turn.ordinal,
    endOf(row, turn),
  ))
    .map(blockOfRow)
    .filter((found) => found !== null);
}

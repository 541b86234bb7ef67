/**
 * The journal of a branch. A branch reads its events up to the cut from other conversations, its parts. `lineage` has a
 * row for each part, with the last seq that the branch reads there. The last part is the branch itself. A conversation
 * that is not a branch has no rows and is its only part.
 *
 * A part may be a deleted conversation (its row has `stage` 3). Its rows stay as far as a branch needs them.
 */
import type { ConversationRow } from "./conversations.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { TURN_COLUMNS, type TurnRow } from "./turn-row.ts";
import type { Work } from "./work.ts";

/** The end of the last part: every later event is the branch's own. */
export const OPEN_END = Number.MAX_SAFE_INTEGER;

/** The columns of a conversation that a query needs to read its whole journal. */
export type Lined = Pick<ConversationRow, "id" | "parent">;

/** Tables whose rows come from one event, whose seq is in this column. */
const SEQ_COLUMNS = {
  events: "seq",
  inputs: "seq",
  paths: "seq",
  late_blocks: "seq",
  pool: "seq",
  snapshots: "seq",
  artifacts: "seq",
  turns: "opened_seq",
} as const;

/**
 * The rows of a table that belong to the conversation's journal, to be continued with `AND` conditions. The value of
 * its only placeholder is the conversation's id.
 */
export function journalOf({ parent }: Lined, table: keyof typeof SEQ_COLUMNS): string {
  if (parent === null) return `${table} WHERE ${table}.conversation = ?`;
  return `lineage JOIN ${table} ON ${table}.conversation = lineage.part
    AND ${table}.${SEQ_COLUMNS[table]} <= lineage.upto WHERE lineage.conversation = ?`;
}

/**
 * Like `journalOf` for `turns`, which is the only table whose rows change. A part that changes a turn of an earlier
 * part has its own row of it, and the row of the latest part counts.
 */
export function turnsOf(row: Lined): string {
  if (row.parent === null) return journalOf(row, "turns");
  return `${journalOf(row, "turns")} AND NOT EXISTS (
    SELECT 1 FROM lineage later JOIN turns newer ON newer.conversation = later.part AND newer.ordinal = turns.ordinal
      AND newer.opened_seq <= later.upto
    WHERE later.conversation = lineage.conversation AND later.upto > lineage.upto)`;
}

/** A run of events of one conversation. */
export interface Part {
  readonly id: number;
  readonly upto: number;
  /** Characters of all events of the part's conversation. */
  readonly stored_chars: number;
}

/** The parts of a branch's journal, in the order of their events. */
export function* partsOf(db: SqlDatabase, row: Lined & Pick<ConversationRow, "stored_chars">): Work<readonly Part[]> {
  if (row.parent === null) return [{ id: row.id, upto: OPEN_END, stored_chars: row.stored_chars }];
  return yield* db.all<Part>(
    `SELECT c.id, l.upto, c.stored_chars FROM lineage l JOIN conversations c ON c.id = l.part
      WHERE l.conversation = ? ORDER BY l.upto`,
    row.id,
  );
}

/** The turn with this id or number; null when there is none. */
export function* turnOf(
  db: SqlDatabase,
  row: Lined,
  column: "turn_id" | "ordinal",
  value: string | number,
): Work<TurnRow | null> {
  const sql = `SELECT ${TURN_COLUMNS} FROM ${turnsOf(row)} AND turns.${column} = ?`;
  return (yield* db.get<TurnRow>(sql, row.id, value)) ?? null;
}

/** A turn as a row: the events it spans, and how it ended. `turn-index.ts` writes it. */
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

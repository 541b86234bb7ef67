/** Finds out whether a conversation may be cut at a seq: only at the end of a batch, when every call had settled. */
import { storeError } from "../contract/errors.ts";
import type { ConversationRow } from "./conversations.ts";
import { journalOf } from "./lineage.ts";
import { type Folding, foldOn, loadFolding } from "./load.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

/**
 * The state at the seq. Throws `not_found` beyond the last event, and `not_settled` where no cut is possible. `earlier`
 * is a state of the same journal; the fold continues from this state and not from the beginning.
 */
export function* settledAt(
  db: SqlDatabase,
  row: ConversationRow,
  seq: number,
  earlier: Folding | null = null,
): Work<Folding> {
  if (seq > row.last_seq)
    throw storeError("not_found", `There is no event ${seq}: the conversation has ${row.last_seq} events.`, { seq });
  const batchEnd = (yield* db.get<{ batch_end: number }>(
    `SELECT batch_end FROM ${journalOf(row, "events")} AND seq = ?`,
    row.id,
    seq,
  ))?.batch_end;
  if (seq > 0 && batchEnd !== seq)
    throw storeError("not_settled", `Event ${seq} is inside a batch. Cut at the end of the batch, event ${batchEnd}.`, {
      seq,
      batch_end: batchEnd,
    });
  const loaded = earlier ?? (yield* loadFolding(db, row, seq));
  yield* foldOn(db, row, loaded, seq);
  const { unsettled } = loaded.state;
  if (unsettled.size > 0)
    throw storeError(
      "not_settled",
      `At event ${seq} a call was still open. Cut at an event where every call has settled.`,
      { seq, calls: [...unsettled.keys()] },
    );
  return loaded;
}

/**
 * The state of a conversation without its blocks. Most requests only ask what runs and what waits. The blocks may take
 * tens of megabytes, so their events are not read.
 */
import { applyEvent } from "@cairn/timeline";
import type { LoadedOutline } from "../contract/records.ts";
import type { ConversationRow } from "./conversations.ts";
import { decodeRow } from "./event-row.ts";
import { beginFolding, refuseStrays, restoreSnapshot } from "./load.ts";
import { turnIds } from "./snapshot-body.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { takeEvents } from "./take-events.ts";
import type { Work } from "./work.ts";

/** Kinds of events with the content of blocks, and receipts, which are about the blocks. */
export const BLOCK_KINDS: readonly string[] = ["block.appended", "compaction.committed", "model.receipt"];

export function* loadOutline(db: SqlDatabase, row: ConversationRow): Work<LoadedOutline> {
  yield* refuseStrays(db, row);
  const { state, seq } = (yield* restoreSnapshot(db, row, row.last_seq, false)) ?? beginFolding();
  const span = { after: seq, upTo: row.last_seq, limit: row.last_seq - seq, without: BLOCK_KINDS };
  yield* takeEvents(db, row, span, (each) => void applyEvent(state, decodeRow(each)));
  // A turn of an older journal begins with its first block.
  for (const turn of yield* turnIds(db, row, row.last_seq)) state.noteTurn(turn);
  return { state, seq: row.last_seq };
}

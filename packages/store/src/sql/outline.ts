/**
 * The state of a conversation without its blocks. Most requests only need to know what runs and what waits. The blocks
 * and the sources may take tens of megabytes, so their events are not read unless the sources are asked for.
 */
import { applyEvent, type EventBody, type TimelineEvent } from "@cairn/timeline";
import type { LoadedOutline } from "../contract/records.ts";
import type { ConversationRow } from "./conversations.ts";
import { decodeRow } from "./event-row.ts";
import { beginFolding, refuseStrays, restoreSnapshot } from "./load.ts";
import { type Restoring, turnIds } from "./snapshot-body.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { takeEvents } from "./take-events.ts";
import type { Work } from "./work.ts";

/** Kinds of events with the content of blocks, and receipts, which are about the blocks. */
export const BLOCK_KINDS: readonly string[] = ["block.appended", "compaction.committed", "model.receipt"];

export function* loadOutline(
  db: SqlDatabase,
  row: ConversationRow,
  sources: Restoring["sources"] = null,
): Work<LoadedOutline> {
  yield* refuseStrays(db, row);
  const restoring = { blocks: false, sources };
  const { state, seq } = (yield* restoreSnapshot(db, row, row.last_seq, restoring)) ?? beginFolding();
  for (const [call, given] of state.approvalsGiven) state.approvalsGiven.set(call, withoutOutput(given));
  const without = sources === null ? [...BLOCK_KINDS, "sources.merged"] : BLOCK_KINDS;
  const span = { after: seq, upTo: row.last_seq, limit: row.last_seq - seq, without };
  yield* takeEvents(db, row, span, (each) => void applyEvent(state, reduced(decodeRow(each), sources)));
  // A turn of an older journal begins with its first block.
  for (const turn of yield* turnIds(db, row, row.last_seq)) state.noteTurn(turn);
  return { state, seq: row.last_seq };
}

/** The event without the outputs, and without the parts of sources, that a state without blocks does not need. */
function reduced(event: TimelineEvent, sources: Restoring["sources"]): TimelineEvent {
  if ("unknown" in event) return event;
  if (event.kind === "approval.given") return { ...event, body: withoutOutput(event.body) };
  if (event.kind === "sources.merged" && sources !== null)
    return { ...event, body: { ...event.body, rows: event.body.rows.map(sources) } };
  return event;
}

function withoutOutput({ output: _, ...given }: EventBody<"approval.given">): EventBody<"approval.given"> {
  return given;
}

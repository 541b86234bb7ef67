/** The block in an event row, and small states made of such blocks. */
import { TimelineState } from "@cairn/timeline";
import type { FoundBlock } from "../contract/records.ts";
import { decodeRow, type EventRow } from "./event-row.ts";
import { knownSources } from "./known-sources.ts";
import type { Lined } from "./lineage.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

export function blockOfRow(row: EventRow): FoundBlock | null {
  const event = decodeRow(row);
  if ("unknown" in event) return null;
  if (event.kind !== "block.appended" && event.kind !== "compaction.committed") return null;
  const { position, tokens, version } = event.body;
  const block = event.kind === "block.appended" ? event.body.block : event.body.summary;
  return { seq: row.seq, position, block, tokens, version };
}

/** A state whose window contains these blocks at their own positions. */
export function* stateOfBlocks(
  db: SqlDatabase,
  conversation: Lined,
  blocks: readonly FoundBlock[],
): Work<TimelineState> {
  const state = new TimelineState();
  const knownOf = yield* knownSources(db, conversation, blocks);
  for (const found of blocks) {
    const { position, block, version, tokens } = found;
    state.nextPosition = position;
    state.append(block, version, tokens).sourcesKnown = knownOf(found);
  }
  return state;
}

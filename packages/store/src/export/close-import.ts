/**
 * Closes parts of an imported journal that must not become active here: running work and approvals.
 *
 * Calls that were open or waited for approval are settled as interrupted, an open turn is closed, waiting messages are
 * dropped, and permissions and cancellations end. One event at the end records what was closed. A file without any of
 * these is imported unchanged.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { isUndercounted, makeEvent, type TimelineEvent, type TimelineState } from "@cairn/timeline";
import type { LoadedConversation } from "../contract/records.ts";
import { conversationById } from "../sql/conversations.ts";
import { prepareEvent } from "../sql/event-row.ts";
import { loadState } from "../sql/load.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import { addStagedEvents, stillStaged } from "../sql/staging.ts";
import type { Work } from "../sql/work.ts";
import { badFile } from "./format.ts";

/** About this many characters are read before other work of the process runs. */
const SLICE_CHARS = 1_000_000;

/** Runs when every event of the file is staged. No other code writes to a staged conversation. */
export async function closeImport(db: SqlDatabase, id: number, now: () => number, signal?: AbortSignal): Promise<void> {
  const { state, seq } = await db.read(() => loadStaged(db, id), signal);
  await refuseUndercounted(state);
  const stored_at = now();
  const events = closingEvents(state, new Date(stored_at).toISOString());
  const batch_end = seq + events.length;
  const staged = events.map((event) => ({ prepared: prepareEvent(event), batch_end, stored_at }));
  // Throws if `gc` has removed the staged conversation meanwhile, because it is then incomplete.
  await db.write(() => addStagedEvents(db, id, staged, stored_at), signal);
}

function* loadStaged(db: SqlDatabase, id: number): Work<LoadedConversation> {
  return yield* loadState(db, stillStaged(yield* conversationById(db, id)));
}

/** Refuses blocks that state too few tokens, because a request would show all of such a block, however large it is. */
async function refuseUndercounted({ window }: TimelineState): Promise<void> {
  let chars = 0;
  for (const entry of window) {
    if (isUndercounted(entry))
      throw badFile(`block ${entry.position} has more text than fits in the ${entry.tokens} tokens it states`, {
        position: entry.position,
      });
    chars += entry.block.text?.length ?? 0;
    if (chars < SLICE_CHARS) continue;
    chars = 0;
    await yieldToOthers();
  }
}

function closingEvents(state: TimelineState, ts: string): TimelineEvent[] {
  const calls = new Set([...state.unsettled.keys(), ...state.approvalsRequested.keys()]);
  const waiting = [...state.pendingInputs.keys(), ...state.pendingFeedback.keys(), ...state.pendingOrders.keys()];
  const consents = state.approvalsRequested.size + state.approvalsGiven.size + state.grants.size;
  const { openTurn, cancelRequested } = state;
  const isOpen = openTurn !== null || cancelRequested !== null;
  if (calls.size === 0 && waiting.length === 0 && consents === 0 && !isOpen) return [];
  const turn_id = openTurn ?? state.turnIds.at(-1) ?? "";
  return [
    ...[...calls].map((call_id) => makeEvent("call.settled", { call_id, outcome: "interrupted", ts })),
    ...waiting.map((key) => makeEvent("input.promoted", { key, turn_id, dropped: true })),
    ...(openTurn === null ? [] : [makeEvent("turn.closed", { turn_id: openTurn, ts, exit: "cancelled" })]),
    makeEvent("conversation.imported", {
      ts,
      closed_turn: openTurn,
      dropped_messages: state.pendingInputs.size,
      withdrawn_approvals: state.approvalsRequested.size,
    }),
  ];
}

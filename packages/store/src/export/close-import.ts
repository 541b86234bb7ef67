/**
 * Closes what an imported file must not bring along: running work and approvals.
 *
 * Calls that were open or waited for approval are settled as interrupted, an open turn is closed, waiting messages are
 * dropped, and permissions and cancellations end. One event at the end records this. A file without any of these is
 * imported unchanged.
 */
import { isUndercounted, makeEvent, type TimelineEvent, type TimelineState } from "@cairn/timeline";
import type { ConversationRow } from "../sql/conversations.ts";
import { prepareEvent } from "../sql/event-row.ts";
import { loadState } from "../sql/load.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import { addStagedEvents } from "../sql/staging.ts";
import type { Work } from "../sql/work.ts";
import { badFile } from "./format.ts";

/** Runs inside a write transaction, after every event of the file is staged. */
export function* closeImport(db: SqlDatabase, staged: ConversationRow, now: number): Work<void> {
  const { state } = yield* loadState(db, staged);
  refuseUndercounted(state);
  const events = closingEvents(state, new Date(now).toISOString());
  const batch_end = staged.last_seq + events.length;
  yield* addStagedEvents(
    db,
    staged.id,
    events.map((event) => ({ prepared: prepareEvent(event), batch_end, stored_at: now })),
    now,
  );
}

/** Nothing else is wrong with such a block, but a request would show all of it, however large. */
function refuseUndercounted({ window }: TimelineState): void {
  const block = window.find(isUndercounted);
  if (block !== undefined)
    throw badFile(`block ${block.position} has more text than its ${block.tokens} tokens can stand for`, {
      position: block.position,
    });
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
      ...{ ts, closed_turn: openTurn, dropped_messages: state.pendingInputs.size },
      withdrawn_approvals: state.approvalsRequested.size,
    }),
  ];
}

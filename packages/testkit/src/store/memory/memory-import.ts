/** Closes everything an imported file left open, with the events of the contract. */
import { encodeEvent, makeEvent, type TimelineEvent, type TimelineState } from "@cairn/timeline";
import type { JournalRow } from "./memory-data.ts";

export function closingRows(state: TimelineState, length: number, now: number): JournalRow[] {
  const events = closingEvents(state, new Date(now).toISOString());
  return events.map((event, nth) => ({
    seq: length + nth + 1,
    stored_at: now,
    endsBatch: nth === events.length - 1,
    envelope: JSON.stringify(encodeEvent(event)),
    kind: event.kind,
  }));
}

function closingEvents(state: TimelineState, ts: string): TimelineEvent[] {
  const { approvalsGiven, approvalsRequested, grants, openTurn, pendingInputs, unsettled } = state;
  const events: TimelineEvent[] = [];
  for (const call_id of new Set([...unsettled.keys(), ...approvalsRequested.keys()]))
    events.push(makeEvent("call.settled", { call_id, outcome: "interrupted", ts }));
  const turn_id = openTurn ?? state.turnIds.at(-1) ?? "";
  for (const waiting of [pendingInputs, state.pendingFeedback, state.pendingOrders])
    for (const key of waiting.keys()) events.push(makeEvent("input.promoted", { key, turn_id, dropped: true }));
  if (openTurn !== null) events.push(makeEvent("turn.closed", { turn_id: openTurn, ts, exit: "cancelled" }));
  if (events.length === 0 && approvalsGiven.size === 0 && grants.size === 0) return [];
  const counts = { dropped_messages: pendingInputs.size, withdrawn_approvals: approvalsRequested.size };
  return [...events, makeEvent("conversation.imported", { ts, closed_turn: openTurn, ...counts })];
}

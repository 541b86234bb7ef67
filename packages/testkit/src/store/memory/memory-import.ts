/** Imports a file. Open calls and turns are closed with the events of the contract. */
import { type ConversationKey, scopeKey } from "@cairn/store";
import { encodeEvent, makeEvent, type TimelineEvent, type TimelineState } from "@cairn/timeline";
import { exists } from "./memory-arguments.ts";
import type { MemoryBlobStore } from "./memory-blob-store.ts";
import { emptyConversation, type JournalRow, type MemoryConversation, type MemoryData } from "./memory-data.ts";
import { readFile } from "./memory-file.ts";
import { loaded } from "./memory-info.ts";

/** `moves`: the conversations keep their names, and nothing is closed. */
export function importFile(
  data: MemoryData,
  blobStore: MemoryBlobStore,
  key: ConversationKey,
  text: string,
  { moves, now }: { readonly moves: boolean; readonly now: number },
): void {
  const read = readFile(text);
  const members = Array.isArray(read) ? read : [{ ...read, isAsked: true, name: "", number: 0, owners: [] }];
  const nameOf = (name: string, isAsked: boolean, nth: number) =>
    isAsked ? key.conversation : moves ? name : `${key.conversation}.${nth + 1}`;
  const keys = members.map(({ name, isAsked }, nth) => ({ ...key, conversation: nameOf(name, isAsked, nth) }));
  for (const each of keys) if (data.conversations.has(scopeKey(each))) throw exists(each);
  const rows = new Map<string, JournalRow>();
  const numbers = new Map<number, number>();
  const made = members.map(({ blobs, journal, ...member }, nth): MemoryConversation => {
    const its = keys[nth] ?? key;
    const empty = emptyConversation(now, its, member.attributes, member.forked_from);
    numbers.set(member.number, empty.number);
    const shared = journal.map((row) => {
      const place = `${member.owners[row.seq - 1] ?? member.number} ${row.seq}`;
      rows.set(place, rows.get(place) ?? row);
      return rows.get(place) ?? row;
    });
    const savedBefore = new Map("saved" in member ? member.saved : []);
    const { last_activity_at, created_at, artifacts } = member;
    const listed = "listed" in member ? member.listed : true;
    const owners = member.owners.map((number) => numbers.get(number) ?? number);
    const whole = { ...empty, last_activity_at, created_at, artifacts, savedBefore, listed, owners, journal: shared };
    for (const bytes of blobs) {
      const { ref } = blobStore.keep(key.tenant, new Uint8Array(Buffer.from(bytes, "base64")));
      whole.references.set(ref, now);
    }
    return whole;
  });
  for (const each of made) {
    each.tree = made[0]?.tree ?? each.tree;
    if (!moves) each.journal.push(...closingRows(loaded(each.journal).state, each.journal.length, now));
    data.conversations.set(scopeKey(each.key), each);
  }
}

function closingRows(state: TimelineState, length: number, now: number): JournalRow[] {
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

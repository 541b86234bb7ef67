/** The description of a conversation in the reference store, computed from its journal. */
import type { OutlineOptions } from "@cairn/store";
import { type BlobRef, createPool, encodeEvent } from "@cairn/timeline";
import { eventOf, type JournalRow, lastTimelineSeq, type MemoryConversation, stateOf } from "./memory-data.ts";
import { listTurns } from "./memory-reads.ts";

export function infoOf(conversation: MemoryConversation) {
  const { key, journal, attributes, created_at, last_activity_at, forked_from } = conversation;
  return {
    conversation: key.conversation,
    ...journalInfo(journal),
    attributes: structuredClone(attributes),
    created_at,
    last_activity_at,
    forked_from,
    listed: conversation.listed,
  };
}

/** The description is cached by the last row: a turn asks for it many times between two appends. */
const known = new WeakMap<JournalRow, ReturnType<typeof computeInfo>>();

function journalInfo(journal: readonly JournalRow[]) {
  const last = journal.at(-1);
  const info = (last && known.get(last)) ?? computeInfo(journal);
  if (last !== undefined) known.set(last, info);
  return info;
}

function computeInfo(journal: readonly JournalRow[]) {
  const turns = listTurns(journal);
  const last = turns.at(-1);
  return {
    title: stateOf(journal).meta.conversation_title,
    last_seq: journal.length,
    last_timeline_seq: lastTimelineSeq(journal),
    turns: turns.length,
    open_turn: last?.closed_seq === null ? last.turn_id : null,
  };
}

export function loaded(journal: readonly JournalRow[]) {
  return { state: stateOf(journal), seq: journal.length, timelineSeq: lastTimelineSeq(journal) };
}

export function outlined(journal: readonly JournalRow[], sources: OutlineOptions["sources"]) {
  const { state, seq } = loaded(journal);
  for (const [call, { output: _, ...given }] of state.approvalsGiven) state.approvalsGiven.set(call, given);
  state.pool = createPool(sources === undefined ? [] : state.pool.rows().map(sources));
  return { state, seq };
}

export function namedBlobs(journal: readonly JournalRow[]): BlobRef[] {
  return [...new Set(journal.flatMap((row) => encodeEvent(eventOf(row)).blobs))];
}

/** The description of a conversation in the reference store, computed from its journal. */
import { type BlobRef, encodeEvent } from "@cairn/timeline";
import { type JournalRow, lastTimelineSeq, type MemoryConversation, readRow, stateOf } from "./memory-data.ts";
import { listTurns } from "./memory-reads.ts";

export function infoOf(conversation: MemoryConversation) {
  const { key, journal, attributes, created_at, last_activity_at, forked_from } = conversation;
  const state = stateOf(journal);
  const turns = listTurns(journal);
  const last = turns.at(-1);
  return {
    conversation: key.conversation,
    title: state.meta.conversation_title,
    attributes: structuredClone(attributes),
    created_at,
    last_activity_at,
    last_seq: journal.length,
    last_timeline_seq: lastTimelineSeq(journal),
    turns: turns.length,
    open_turn: last?.closed_seq === null ? last.turn_id : null,
    forked_from,
    listed: conversation.listed,
  };
}

export function loaded(journal: readonly JournalRow[]) {
  return { state: stateOf(journal), seq: journal.length, timelineSeq: lastTimelineSeq(journal) };
}

export function namedBlobs(journal: readonly JournalRow[]): BlobRef[] {
  return [...new Set(journal.flatMap((row) => encodeEvent(readRow(row).event).blobs))];
}

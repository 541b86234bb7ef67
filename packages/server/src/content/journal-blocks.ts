/** Reads blocks by position, in both directions, from the journal. A binary search finds the first one. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import type { Block, TimelineEvent } from "@cairn/timeline";

export interface JournalBlock {
  readonly position: number;
  readonly seq: number;
  readonly block: Block;
  readonly tokens: number;
  readonly version: number;
}

const PAGE = 100;

export function blockOfEvent(event: TimelineEvent, seq: number): JournalBlock | null {
  if ("unknown" in event) return null;
  if (event.kind === "block.appended") {
    const { position, block, tokens, version } = event.body;
    return { position, seq, block, tokens, version };
  }
  if (event.kind !== "compaction.committed") return null;
  const { position, summary, tokens, version } = event.body;
  return { position, seq, block: summary, tokens, version };
}

/** Every block after `position`, oldest first. */
export async function* blocksAfter(
  store: ConversationStore,
  key: ConversationKey,
  position: number,
): AsyncGenerator<JournalBlock> {
  let after = (await seqOfPosition(store, key, position + 1)) - 1;
  for (;;) {
    const events = await store.readEvents(key, { after, limit: PAGE });
    for (const { seq, event } of events) {
      after = seq;
      const found = blockOfEvent(event, seq);
      if (found !== null && found.position > position) yield found;
    }
    if (events.length < PAGE) return;
  }
}

/** Every block before `position`, newest first; all blocks if it is null. */
export async function* blocksBefore(
  store: ConversationStore,
  key: ConversationKey,
  position: number | null,
): AsyncGenerator<JournalBlock> {
  const { last_seq } = await store.getConversation(key);
  let end = position === null ? last_seq : Math.min(last_seq, (await seqOfPosition(store, key, position)) - 1);
  while (end > 0) {
    const after = Math.max(0, end - PAGE);
    const events = await store.readEvents(key, { after, limit: end - after });
    for (const { seq, event } of events.toReversed()) {
      const found = blockOfEvent(event, seq);
      if (found !== null) yield found;
    }
    end = after;
  }
}

/** The first seq after which all blocks have at least this position; the last seq plus 1 without such a block. */
async function seqOfPosition(store: ConversationStore, key: ConversationKey, position: number): Promise<number> {
  const { last_seq } = await store.getConversation(key);
  let low = 1;
  let high = last_seq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = await nextPosition(store, key, middle);
    if (next === null || next >= position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The position of the first block at or after a seq. */
async function nextPosition(store: ConversationStore, key: ConversationKey, seq: number): Promise<number | null> {
  for (let after = seq - 1, limit = 8; ; limit = PAGE) {
    const events = await store.readEvents(key, { after, limit });
    for (const stored of events) {
      after = stored.seq;
      const found = blockOfEvent(stored.event, stored.seq);
      if (found !== null) return found.position;
    }
    if (events.length < limit) return null;
  }
}

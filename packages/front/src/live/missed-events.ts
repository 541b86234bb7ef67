/**
 * The events that a follower has missed, page by page, as fast as it reads. The first page is short. The size of its
 * events determines the length of the next page, so that no page is too large.
 */
import type { ConversationKey, ConversationStore, StoredEvent } from "@cairn/store";
import { sizeOfEvent } from "./live-item.ts";

const FIRST_PAGE = 20;
const MAX_PAGE_LENGTH = 200;
/** Approximate maximum number of characters of one page, which is kept in memory and formatted in one step. */
const MAX_CHARACTERS = 200_000;

/** The events after `after`, up to and including `upTo`. */
export async function* missedEvents(
  store: Pick<ConversationStore, "readEvents">,
  key: ConversationKey,
  after: number,
  upTo: number,
): AsyncGenerator<readonly StoredEvent[]> {
  let limit = FIRST_PAGE;
  for (let seq = after; seq < upTo; ) {
    const events = await store.readEvents(key, { after: seq, limit: Math.min(limit, upTo - seq) });
    if (events.length === 0) return;
    seq = events.at(-1)?.seq ?? seq;
    yield events;
    const each = events.reduce((sum, event) => sum + sizeOfEvent(event), 0) / events.length;
    limit = Math.max(1, Math.min(MAX_PAGE_LENGTH, limit * 2, Math.floor(MAX_CHARACTERS / each)));
  }
}

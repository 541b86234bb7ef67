/**
 * What a follower has missed, page by page at the pace it reads. A page has as many events as are small together: the
 * first is short, and each is as long as the one before says there is room for.
 */
import type { ConversationKey, ConversationStore, StoredEvent } from "@cairn/store";

const FIRST_PAGE = 20;
const LONGEST_PAGE = 200;
/** About so many characters are held for one follower at a time. */
const MOST_CHARACTERS = 1_000_000;
/** Of an event without a text. */
const USUAL_CHARACTERS = 500;

/** The events behind `after`, up to and with `upTo`. */
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
    const each = events.reduce((sum, event) => sum + sizeOf(event), 0) / events.length;
    limit = Math.max(1, Math.min(LONGEST_PAGE, limit * 2, Math.floor(MOST_CHARACTERS / each)));
  }
}

function sizeOf({ event }: StoredEvent): number {
  if ("unknown" in event || event.kind !== "block.appended") return USUAL_CHARACTERS;
  const { text = "", base64 = "" } = event.body.block;
  return USUAL_CHARACTERS + text.length + (typeof base64 === "string" ? base64.length : 0);
}

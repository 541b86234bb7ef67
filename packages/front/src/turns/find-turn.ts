/** Finds a turn in the journal. The search starts at the end, so its cost depends on how long ago the turn was. */
import { BLOCK_KINDS, type ConversationKey, type ConversationStore, type StoredEvent } from "@cairn/store";
import { CairnError } from "@cairn/timeline";

export interface TurnPlace {
  readonly opened: number;
  /** Seq of the event that closed the turn; null while it is open. */
  readonly closed: number | null;
  /** The message that opened the turn, and its seq; null if not recorded. */
  readonly key: string | null;
  readonly message: number | null;
}

const PAGE = 500;

/** Throws `not_found` when the conversation has no such turn. */
export async function findTurn(store: ConversationStore, key: ConversationKey, turnId: string): Promise<TurnPlace> {
  let closed: number | null = null;
  let opened: number | null = null;
  let promoted: string | null = null;
  for await (const { seq, event } of eventsBackwards(store, key)) {
    if ("unknown" in event) continue;
    if (event.kind === "turn.closed" && event.body.turn_id === turnId) closed ??= seq;
    // The first message of a turn opened the turn. Its other messages are steering messages.
    if (event.kind === "input.promoted" && event.body.turn_id === turnId) promoted = event.body.key;
    if (event.kind === "turn.opened" && event.body.turn_id === turnId) opened = seq;
    if (opened === null) continue;
    if (promoted === null) return { opened, closed, key: null, message: null };
    if (event.kind === "input.received" && event.body.key === promoted)
      return { opened, closed, key: promoted, message: seq };
  }
  if (opened !== null) return { opened, closed, key: promoted, message: null };
  throw new CairnError("not_found", "The conversation has no turn with this id.", { turn_id: turnId });
}

/** The last turn that a message with a matching key opened; null if there is none. */
export async function findTurnOfMessage(
  store: ConversationStore,
  key: ConversationKey,
  isMeant: (messageKey: string) => boolean,
): Promise<string | null> {
  const { state } = await store.loadOutline(key);
  const turns = new Set(state.turnIds);
  for await (const { event } of eventsBackwards(store, key))
    if (!("unknown" in event) && event.kind === "input.promoted" && isMeant(event.body.key))
      if (turns.has(event.body.turn_id)) return event.body.turn_id;
  return null;
}

/** Reads no events of blocks, because they may be large. */
async function* eventsBackwards(store: ConversationStore, key: ConversationKey): AsyncGenerator<StoredEvent> {
  const { last_seq } = await store.getConversation(key);
  for (let end = last_seq; end > 0; end -= PAGE) {
    const after = Math.max(0, end - PAGE);
    yield* (await store.readEvents(key, { after, limit: end - after, without: BLOCK_KINDS })).toReversed();
  }
}

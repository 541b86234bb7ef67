/** Stops the turn of a conversation, or the one that its next message would open. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import type { TurnQueue } from "../queue/turn-queue.ts";

interface CancelParts {
  readonly store: ConversationStore;
  /** The same store, whose calls do not wait for the caller's share of the processor. */
  readonly atOnce: ConversationStore;
  /** Told that there is something to do. */
  readonly queue: Pick<TurnQueue, "offer">;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Returns the seq of the request to stop, or of the last event when there is nothing to stop. With `turnId`, only this
 * turn is stopped; if its message is still waiting, the turn is stopped when it opens.
 */
export async function cancelTurn(parts: CancelParts, key: ConversationKey, turnId?: string): Promise<number> {
  const { store, atOnce, queue, now } = parts;
  const what = turnId === undefined ? await whatToCancel(parts, key) : `cancel-${turnId}`;
  if (what === null) return (await store.getConversation(key)).last_seq;
  // The store keeps one event for each key, so repeated requests to stop the same turn take no room.
  const event = makeEvent("cancel.requested", {
    key: what,
    ts: new Date(now()).toISOString(),
    ...(turnId === undefined ? {} : { turn_id: turnId }),
  });
  const { seqs } = await atOnce.append(key, [event]);
  await queue.offer(key);
  return seqs[0] ?? 0;
}

/**
 * A name for the turn that is running or waiting; null when there is none. A user who has used up their share of the
 * processor can still stop a running turn immediately.
 */
async function whatToCancel({ store, atOnce }: CancelParts, key: ConversationKey): Promise<string | null> {
  const { open_turn } = await atOnce.getConversation(key);
  if (open_turn !== null) return `cancel-${open_turn}`;
  const [next] = (await store.load(key)).state.pendingInputs.keys();
  return next === undefined ? null : `cancel-${next}`;
}

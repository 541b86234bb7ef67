/** Stops the turn of a conversation, or the turn that its next message would open, and withdraws waiting messages. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, makeEvent, type TimelineEvent } from "@cairn/timeline";
import type { TurnQueue } from "../queue/turn-queue.ts";

interface CancelParts {
  readonly store: ConversationStore;
  /** The store without waiting for the caller's share of processor time. */
  readonly atOnce: ConversationStore;
  /** The queue, to which the conversation is added. */
  readonly queue: Pick<TurnQueue, "offer">;
  /** Returns the time in epoch milliseconds. */
  readonly now: () => number;
}

/**
 * Returns the seq of the request to stop, or of the last event when there is nothing to stop. With `turnId`, only this
 * turn is stopped; if its message is still waiting, the turn is stopped when it opens.
 */
export async function cancelTurn(parts: CancelParts, key: ConversationKey, turnId?: string): Promise<number> {
  const what = turnId === undefined ? await whatToCancel(parts, key) : `cancel-${turnId}`;
  return what === null ? lastSeq(parts, key) : append(parts, key, [stopRequest(parts, what, turnId)]);
}

/**
 * Stops the running turn, and withdraws the messages that wait for a turn or for the next step of this turn. If no turn
 * is open, a worker may be about to open one for the first message, so the turn of this message is stopped, too.
 */
export async function stopAll(parts: CancelParts, key: ConversationKey): Promise<number> {
  const { pendingInputs } = (await parts.store.loadOutline(key)).state;
  const { open_turn } = await parts.atOnce.getConversation(key);
  const [first] = pendingInputs.values();
  const events = [...pendingInputs.keys()].map((message) => withdrawal(parts, message));
  if (open_turn !== null) events.push(stopRequest(parts, `cancel-${open_turn}`));
  else if (first !== undefined) {
    const turnId = typeof first.turn_id === "string" ? first.turn_id : undefined;
    events.push(stopRequest(parts, `cancel-${turnId ?? first.key}`, turnId));
  }
  return events.length === 0 ? lastSeq(parts, key) : append(parts, key, events);
}

/** Withdraws a message that waits. Throws `not_found` if it does not wait any more. */
export async function withdrawMessage(parts: CancelParts, key: ConversationKey, message: string): Promise<number> {
  const { pendingInputs } = (await parts.store.loadOutline(key)).state;
  if (!pendingInputs.has(message))
    throw new CairnError("not_found", "The message is not waiting any more, so it cannot be withdrawn.", { message });
  return append(parts, key, [withdrawal(parts, message)]);
}

/** The store keeps one event for each key, so repeated requests to stop the same turn take no room. */
function stopRequest({ now }: CancelParts, key: string, turnId?: string): TimelineEvent {
  const ts = new Date(now()).toISOString();
  return makeEvent("cancel.requested", { key, ts, ...(turnId === undefined ? {} : { turn_id: turnId }) });
}

/** One event for each message. Its key identifies the withdrawal, and the store keeps one event for each key. */
function withdrawal({ now }: CancelParts, message: string): TimelineEvent {
  const ts = new Date(now()).toISOString();
  return makeEvent("input.withdrawn", { key: `withdraw-${message}`, ts, messages: [message] });
}

async function append({ atOnce, queue }: CancelParts, key: ConversationKey, events: readonly TimelineEvent[]) {
  const { seqs } = await atOnce.append(key, events);
  await queue.offer(key);
  return seqs.at(-1) ?? 0;
}

async function lastSeq({ store }: CancelParts, key: ConversationKey): Promise<number> {
  return (await store.getConversation(key)).last_seq;
}

/**
 * A name for the turn that is running or waiting; null when there is none. Does not wait for a share of processor time,
 * so that every user can stop a turn immediately.
 */
async function whatToCancel({ store, atOnce }: CancelParts, key: ConversationKey): Promise<string | null> {
  const { open_turn } = await atOnce.getConversation(key);
  if (open_turn !== null) return `cancel-${open_turn}`;
  const [next] = (await store.loadOutline(key)).state.pendingInputs.keys();
  return next === undefined ? null : `cancel-${next}`;
}

/**
 * Makes a fork that ends before or after a turn. Before a turn means before its message, so that another message can be
 * sent instead; with `resend`, the fork keeps the message and sends it again.
 *
 * A message may have arrived during an earlier turn, where no fork can begin. The fork then begins just before the turn
 * of the message, and discards the other messages that waited at that point.
 */
import type { ForkPoint } from "@cairn/api";
import type { ConversationKey, ConversationStore, Lease } from "@cairn/store";
import { CairnError, makeEvent } from "@cairn/timeline";
import { findTurn } from "./find-turn.ts";

export interface ForkParts {
  readonly store: ConversationStore;
  /** Runs work with the lease of a conversation, to write to the fork outside any turn. */
  readonly withLease: <T>(key: ConversationKey, write: (lease: Lease) => Promise<T>) => Promise<T>;
}

/** Throws `not_found` when there is no such turn, and `not_settled` if no fork can begin there. */
export async function forkConversation(
  parts: ForkParts,
  key: ConversationKey,
  target: string,
  at: ForkPoint,
  resend: boolean,
): Promise<void> {
  const { store } = parts;
  if (typeof at === "number") {
    await store.fork(key, at, target);
    return;
  }
  const turn = await findTurn(store, key, at.turn_id);
  if (at.edge === "after") {
    if (turn.closed === null)
      throw new CairnError("not_settled", "The turn has not ended yet. Stop it first, or fork before it.");
    await forkAfter(store, key, turn.closed, target);
    return;
  }
  if (!resend && turn.message !== null && (await isForked(store, key, turn.message - 1, target))) return;
  await store.fork(key, turn.opened - 1, target);
  await setAside(parts, { ...key, conversation: target }, resend ? turn.key : null);
}

/** Other events may follow in the batch that closes a turn, because large results are pruned in it. */
async function forkAfter(store: ConversationStore, key: ConversationKey, closed: number, target: string) {
  try {
    await store.fork(key, closed, target);
  } catch (error) {
    const batchEnd = CairnError.is(error) && error.code === "not_settled" ? error.details.batch_end : undefined;
    if (typeof batchEnd !== "number") throw error;
    await store.fork(key, batchEnd, target);
  }
}

async function isForked(store: ConversationStore, key: ConversationKey, seq: number, target: string): Promise<boolean> {
  try {
    await store.fork(key, seq, target);
    return true;
  } catch (error) {
    if (CairnError.is(error) && error.code === "not_settled") return false;
    throw error;
  }
}

/** Marks every waiting message as processed, except the one to keep. */
async function setAside({ store, withLease }: ForkParts, key: ConversationKey, keep: string | null): Promise<void> {
  const { state } = await store.loadOutline(key);
  const unwanted = [...state.pendingInputs.values()].filter((input) => input.key !== keep);
  if (unwanted.length === 0) return;
  await withLease(key, (lease) =>
    store.append(
      key,
      unwanted.map((input) => makeEvent("input.promoted", { key: input.key, turn_id: "none" })),
      { lease: { token: lease.token, expectedSeq: lease.last_timeline_seq } },
    ),
  );
}

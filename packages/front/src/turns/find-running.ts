/** The turn of a conversation that a client can join: the open one, or the one that the next message will open. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { findTurn } from "./find-turn.ts";

export interface RunningTurn {
  readonly turnId: string;
  /** The key of the message that waits for the turn; null if the turn is open. */
  readonly message: string | null;
  /** The journal is read after this seq: before the turn was opened. */
  readonly from: number;
}

/** Null when nothing runs or waits, also for a conversation that has not begun. */
export async function findRunning(store: ConversationStore, key: ConversationKey): Promise<RunningTurn | null> {
  try {
    const { state } = await store.load(key);
    if (state.openTurn !== null) {
      const { opened } = await findTurn(store, key, state.openTurn);
      return { turnId: state.openTurn, message: null, from: opened - 1 };
    }
    const [next] = state.pendingInputs.values();
    const { last_seq } = await store.getConversation(key);
    return typeof next?.turn_id === "string" ? { turnId: next.turn_id, message: next.key, from: last_seq } : null;
  } catch (error) {
    if (CairnError.is(error) && error.code === "not_found") return null;
    throw error;
  }
}

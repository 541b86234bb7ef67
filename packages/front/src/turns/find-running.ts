/** The turn that a client of a conversation can join: the open turn, that of a waiting message, or a turn by its id. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { nullIfNotFound } from "@cairn/timeline";
import { findTurn } from "./find-turn.ts";

export interface RunningTurn {
  readonly turnId: string;
  /** The key of the message that waits for the turn; null if the turn was opened. */
  readonly message: string | null;
  /** The journal is read after this seq: before the turn was opened. */
  readonly from: number;
}

/** The turn to join; null if no turn is open and no message waits, or if the conversation does not exist yet. */
export async function findRunning(store: ConversationStore, key: ConversationKey): Promise<RunningTurn | null> {
  try {
    // This seq is read before the state, so that a turn that opens between the two reads is opened after the seq.
    const { last_seq } = await store.getConversation(key);
    const { state } = await store.loadOutline(key);
    if (state.openTurn !== null) {
      const { opened } = await findTurn(store, key, state.openTurn);
      return { turnId: state.openTurn, message: null, from: opened - 1 };
    }
    const [next] = state.pendingInputs.values();
    return typeof next?.turn_id === "string" ? { turnId: next.turn_id, message: next.key, from: last_seq } : null;
  } catch (error) {
    return nullIfNotFound(error);
  }
}

/** A turn by its id. A waiting message already has the id of its turn. Throws `not_found`. */
export async function findPlace(store: ConversationStore, key: ConversationKey, turnId: string): Promise<RunningTurn> {
  const { last_seq } = await store.getConversation(key);
  const { state } = await store.loadOutline(key);
  const waiting = [...state.pendingInputs.values()].find(({ turn_id }) => turn_id === turnId);
  if (waiting !== undefined) return { turnId, message: waiting.key, from: last_seq };
  const { opened } = await findTurn(store, key, turnId);
  return { turnId, message: null, from: opened - 1 };
}

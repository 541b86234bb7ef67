/** Copies the standing orders of the user's latest conversations into a new conversation, if the agent asks for it. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import {
  type Block,
  CairnError,
  type CountTokens,
  mergeOrders,
  ordersOfConversation,
  type TimelineState,
} from "@cairn/timeline";
import { orderNote } from "./order-note.ts";

/** Number of the user's latest other conversations that are read. */
const MAX_CONVERSATIONS = 20;
/** Maximum share of the model's window for these orders, a fifth of the share of a summary. */
const ORDERS_SHARE = 0.02;

export interface CarryOptions {
  readonly store: ConversationStore;
  readonly key: ConversationKey;
  readonly turnId: string;
  readonly contextTokens: number;
  readonly countTokens: CountTokens;
}

export async function carriedOrders(options: CarryOptions): Promise<Block[]> {
  const { store, key, turnId, countTokens } = options;
  const { items } = await store.listConversations(key, { limit: MAX_CONVERSATIONS + 1 });
  const said: ReturnType<typeof ordersOfConversation>[] = [];
  for (const { conversation } of items) {
    // Loads one state at a time, because a state may take tens of megabytes of memory.
    const state = conversation === key.conversation ? null : await readableState(store, { ...key, conversation });
    if (state !== null) said.push(ordersOfConversation(state));
  }
  let room = options.contextTokens * ORDERS_SHARE;
  const notes: Block[] = [];
  for (const { text, kind, by, ts } of mergeOrders(said)) {
    const tokens = countTokens(text);
    if (tokens > room) continue;
    room -= tokens;
    const path = `ar:${turnId}.react.note.${notes.length + 1}`;
    const note = orderNote({ path, kind, text, closed: [] });
    const meta = { ...note.meta, carried: true, ...(ts === undefined ? {} : { said_at: ts }) };
    notes.push({ ...note, author: by === "agent" ? "react" : "user", turn_id: turnId, meta });
  }
  return notes;
}

const UNREADABLE = new Set(["not_found", "corrupt", "newer_version"]);

/** Loads a conversation; null if it cannot be read, so that a damaged conversation does not prevent a new one. */
async function readableState(store: ConversationStore, key: ConversationKey): Promise<TimelineState | null> {
  try {
    return (await store.load(key)).state;
  } catch (error) {
    if (CairnError.is(error) && UNREADABLE.has(error.code)) return null;
    throw error;
  }
}

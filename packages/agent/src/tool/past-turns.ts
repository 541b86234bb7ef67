/** The turns of a conversation, or of all conversations of a user, from the store, for tools that search the past. */
import { type ConversationKey, type ConversationStore, everyItem } from "@cairn/store";
import type { PastTurn } from "./tool.ts";

const PAGE = 1_000;
const EXCERPT_CHARS = 500;
/** Maximum number of conversations in a search by time, the most recently active ones. */
const MAX_CONVERSATIONS = 500;

export async function listPastTurns(
  store: ConversationStore,
  key: ConversationKey,
  signal?: AbortSignal,
): Promise<PastTurn[]> {
  const turns: PastTurn[] = [];
  const options = { limit: PAGE, ...(signal === undefined ? {} : { signal }) };
  for await (const { turn_id, opened_at, view } of everyItem((place) => store.turns(key, { ...options, ...place })))
    turns.push({ turn_id, opened_at, prompt: excerpt(view.prompt?.text), completion: excerpt(view.completion?.text) });
  return turns;
}

/** The turns of the user's other conversations. Conversations without activity since `since` are skipped. */
export async function listTurnsElsewhere(
  store: ConversationStore,
  key: ConversationKey,
  { since, signal }: { readonly since: number; readonly signal: AbortSignal },
): Promise<PastTurn[]> {
  const { items } = await store.listConversations(key, { limit: MAX_CONVERSATIONS, signal });
  const turns: PastTurn[] = [];
  for (const { conversation, last_activity_at } of items) {
    if (conversation === key.conversation || last_activity_at < since) continue;
    for (const turn of await listPastTurns(store, { ...key, conversation }, signal))
      turns.push({ ...turn, conversation });
  }
  return turns;
}

function excerpt(text = ""): string {
  return text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS).toWellFormed()}…` : text;
}

/**
 * Conversations by their titles: a person looks for the name they gave. Titles are not among the words a store indexes,
 * so the most recent conversations are looked through; what was said is searched in all of them.
 */
import type { ConversationInfo, ConversationStore, Scope } from "@cairn/store";

const PAGE = 200;
const MOST_PAGES = 5;

/** The most recently active first. Every word has to stand in the title, whole or as a part of one. */
export async function findTitles(
  store: ConversationStore,
  scope: Scope,
  query: string,
  signal: AbortSignal,
): Promise<readonly ConversationInfo[]> {
  const words = plain(query).split(/\s+/).filter(Boolean);
  const found: ConversationInfo[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, next }: Awaited<ReturnType<ConversationStore["listConversations"]>> = await store.listConversations(
      scope,
      { limit: PAGE, signal, ...(cursor === null ? {} : { cursor }) },
    );
    found.push(...items.filter(({ title }) => holds(title ?? "", words)));
    if (next === null) break;
    cursor = next;
  }
  return found;
}

function holds(title: string, words: readonly string[]): boolean {
  const held = plain(title);
  return words.length > 0 && words.every((word) => held.includes(word));
}

/** Case, accents and the spelling of a character do not matter, as in a store's own search. */
function plain(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * Words over what a store keeps of this conversation, or of all of the user's. Pages are read until enough has been
 * found that the caller accepts: what was said most recently may all lie outside the time somebody asks about.
 *
 * A path means something in its own conversation only. What is found in another one comes with its text instead.
 */
import type { ConversationKey, ConversationStore, SearchHit } from "@cairn/store";
import type { SearchFound, ToolContext } from "./tool.ts";

type SearchOptions = Parameters<ToolContext["search"]>[1] & { readonly signal: AbortSignal };

const PAGE = 200;
/** More is not looked through for a time; a query that common needs another word. */
const MOST_HITS = 10_000;
const TEXT_CHARS = 2_000;

export async function searchPast(
  store: ConversationStore,
  key: ConversationKey,
  query: string,
  { scope, limit, accepts = () => true, signal }: SearchOptions,
): Promise<SearchFound[]> {
  const within = scope === "conversation" ? { conversation: key.conversation } : {};
  const found: SearchFound[] = [];
  let cursor: string | null = null;
  for (let seen = 0; seen < MOST_HITS; seen += PAGE) {
    const from: { cursor?: string } = cursor === null ? {} : { cursor };
    const page: Awaited<ReturnType<ConversationStore["search"]>> = await store.search(key, query, {
      ...{ limit: PAGE, signal },
      ...within,
      ...from,
    });
    for (const hit of page.items) {
      if (!accepts(hit)) continue;
      found.push(hit.conversation === key.conversation ? hit : await withText(store, key, hit, signal));
      if (found.length >= limit) return found;
    }
    cursor = page.next;
    if (cursor === null) break;
  }
  return found;
}

async function withText(
  store: ConversationStore,
  key: ConversationKey,
  hit: SearchHit,
  signal: AbortSignal,
): Promise<SearchFound> {
  const { conversation, path, excerpt } = hit;
  const there = path === null ? null : await store.findByPath({ ...key, conversation }, path, { signal });
  return { ...hit, path: null, excerpt: around(there?.artifact.text ?? excerpt, excerpt) };
}

/** The text around an excerpt of it. A later version of it may not hold the excerpt any more. */
function around(text: string, excerpt: string): string {
  const at = text.indexOf(excerpt);
  if (at === -1) return excerpt;
  const room = Math.max(0, TEXT_CHARS - excerpt.length);
  const from = text.length <= TEXT_CHARS ? 0 : Math.max(0, at - Math.floor(room / 2));
  return text.slice(from, from + TEXT_CHARS).toWellFormed();
}

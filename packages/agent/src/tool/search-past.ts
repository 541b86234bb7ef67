/**
 * Ranked search over what a store keeps of this conversation, or of all of the user's. Several queries are several ways
 * to ask for the same: a text that more than one of them finds comes before one that only one finds.
 *
 * A path means something in its own conversation only. What is found in another one comes with more of its text instead.
 */
import type { ConversationKey, ConversationStore, SearchHit } from "@cairn/store";
import type { PastSearch, SearchFound } from "./tool.ts";

const PAGE = 50;
/** Pages of one query that are looked through for what the caller accepts. */
const MOST_PAGES = 20;
const EXCERPT_CHARS = 600;
/** Where a text cannot be read by its path. */
const EXCERPT_CHARS_ELSEWHERE = 1_500;
/** Rank fusion (Cormack, Clarke and Büttcher, 2009): the n-th of a ranking counts 1 / (60 + n). */
const FUSION = 60;

export async function searchPast(
  store: ConversationStore,
  key: ConversationKey,
  query: string | readonly string[],
  options: PastSearch & { readonly signal: AbortSignal },
): Promise<SearchFound[]> {
  const queries = typeof query === "string" ? [query] : query;
  const rankings = await Promise.all(queries.map((each) => hitsOf(store, key, each, options)));
  return fuse(rankings)
    .slice(0, options.limit)
    .map((hit) => (hit.conversation === key.conversation ? hit : { ...hit, path: null }));
}

async function hitsOf(
  store: ConversationStore,
  key: ConversationKey,
  query: string,
  { scope, limit, since, until, turn, accepts = () => true, signal }: PastSearch & { readonly signal: AbortSignal },
): Promise<SearchHit[]> {
  const isHere = scope === "conversation" || turn !== undefined;
  const found: SearchHit[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { items, next }: Awaited<ReturnType<ConversationStore["search"]>> = await store.search(key, query, {
      ...{ limit: PAGE, signal, excerptChars: isHere ? EXCERPT_CHARS : EXCERPT_CHARS_ELSEWHERE },
      ...(isHere ? { conversation: key.conversation } : {}),
      ...(turn === undefined ? {} : { turn }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      ...(cursor === null ? {} : { cursor }),
    });
    found.push(...items.filter(accepts));
    cursor = next;
    if (cursor === null || found.length >= limit) break;
  }
  return found;
}

function fuse(rankings: readonly (readonly SearchHit[])[]): SearchHit[] {
  const fused = new Map<string, { readonly hit: SearchHit; score: number }>();
  for (const hits of rankings)
    for (const [nth, hit] of hits.entries()) {
      const id = JSON.stringify([hit.conversation, hit.seq]);
      const known = fused.get(id) ?? { hit, score: 0 };
      known.score += 1 / (FUSION + nth);
      fused.set(id, known);
    }
  return [...fused.values()].sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}

/**
 * Ranked search in this conversation, or in all conversations of the user. Several queries are several phrasings of the
 * same question, so a text that several queries find comes first.
 *
 * A path is valid only in its own conversation, so hits in other conversations contain more of their text.
 */
import type { ConversationKey, ConversationStore, SearchHit } from "@cairn/store";
import type { PastSearch, SearchFound } from "./tool.ts";

const PAGE = 50;
/** Maximum pages of one query that are searched for acceptable hits. */
const MAX_PAGES = 20;
const EXCERPT_CHARS = 600;
/** Length of an excerpt from another conversation, whose texts cannot be read by path. */
const EXCERPT_CHARS_ELSEWHERE = 1_500;
/** Rank fusion (Cormack, Clarke and Büttcher, 2009): the n-th hit of a ranking counts 1 / (60 + n). */
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
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, next }: Awaited<ReturnType<ConversationStore["search"]>> = await store.search(key, query, {
      limit: PAGE,
      signal,
      excerptChars: isHere ? EXCERPT_CHARS : EXCERPT_CHARS_ELSEWHERE,
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

/** A text may occur several times. If two phrasings find different copies, the copies count as one text. */
function fuse(rankings: readonly (readonly SearchHit[])[]): SearchHit[] {
  const fused = new Map<string, { readonly hit: SearchHit; score: number }>();
  for (const hits of rankings)
    for (const [nth, hit] of hits.entries()) {
      const id = hit.repeats > 0 ? hit.excerpt.toLowerCase() : JSON.stringify([hit.conversation, hit.seq]);
      const known = fused.get(id) ?? { hit, score: 0 };
      known.score += 1 / (FUSION + nth);
      fused.set(id, known);
    }
  return [...fused.values()].sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}

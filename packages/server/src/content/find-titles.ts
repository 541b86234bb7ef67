/** Finds conversations by title. Titles are not indexed, so a scope is scanned page by page; about 20 µs each. */
import type { ConversationInfo, ConversationStore, Scope } from "@cairn/store";
import { CairnError } from "@cairn/timeline";

const PAGE = 200;

export interface FindTitlesOptions {
  readonly limit: number;
  /** The `next` of an earlier page; absent for the first page. */
  readonly cursor?: string;
  readonly signal: AbortSignal;
}

/** Most recently active first. `next` is null when there are no more. Throws `bad_argument` for an invalid cursor. */
export async function findTitles(
  store: ConversationStore,
  scope: Scope,
  query: string,
  { limit, cursor = "0:", signal }: FindTitlesOptions,
) {
  const found: ConversationInfo[] = [];
  for (let { skip, page } = readCursor(cursor); ; ) {
    const from = page === "" ? {} : { cursor: page };
    const { items, next } = await store.listConversations(scope, { limit: PAGE, signal, ...from });
    for (const [at, info] of items.entries()) {
      if (at < skip || !titleHolds(info.title, query)) continue;
      if (found.length === limit) return { found, next: `${at}:${page}` };
      found.push(info);
    }
    if (next === null) return { found, next: null };
    [skip, page] = [0, next];
  }
}

/** Whether a title contains every word, whole or as part of a word. */
export function titleHolds(title: string | null, query: string): boolean {
  if (title === null) return false;
  const held = plain(title);
  const words = plain(query).split(/\s+/).filter(Boolean);
  return words.length > 0 && words.every((word) => held.includes(word));
}

/** A page of the list, and how much of it was scanned. */
function readCursor(cursor: string): { skip: number; page: string } {
  const [, skip, page] = /^(\d{1,3}):(.*)$/s.exec(cursor) ?? [];
  if (skip === undefined || page === undefined)
    throw new CairnError("bad_argument", "The cursor was not issued by this server. Start again without a cursor.", {
      cursor,
    });
  return { skip: Number(skip), page };
}

/** Ignores case, accents and character encodings, as a store's own search does. */
function plain(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

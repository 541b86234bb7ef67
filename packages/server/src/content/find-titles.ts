/** Finds conversations by title. Titles have no index, so all titles of a scope are read, at about 20 µs each. */
import type { ConversationInfo, ConversationStore, Scope } from "@cairn/store";
import { CairnError } from "@cairn/timeline";

const PAGE = 200;

export interface FindTitlesOptions {
  readonly limit: number;
  /** The `next` of an earlier page; absent for the first page. */
  readonly cursor?: string;
  readonly signal: AbortSignal;
}

/** The most recently active come first. `next` is null on the last page. Throws `bad_argument` for a wrong cursor. */
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

/** Whether a title contains all words. A part of a word counts, too. */
export function titleHolds(title: string | null, query: string): boolean {
  if (title === null) return false;
  const held = plain(title);
  const words = plain(query).split(/\s+/).filter(Boolean);
  return words.length > 0 && words.every((word) => held.includes(word));
}

/** A page of the list, and where its scan ended. */
function readCursor(cursor: string): { skip: number; page: string } {
  const [, skip, page] = /^(\d{1,3}):(.*)$/s.exec(cursor) ?? [];
  if (skip === undefined || page === undefined)
    throw new CairnError("bad_argument", "The cursor was not issued by this server. Start again without a cursor.", {
      cursor,
    });
  return { skip: Number(skip), page };
}

/** Removes case, accents and variants of characters, as the full-text search of a store does. */
function plain(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

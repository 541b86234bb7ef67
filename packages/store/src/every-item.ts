/** Reads lists to their end. A list returns a page and the place of the next page. */
import type { CallOptions, Page } from "./contract/call-options.ts";
import type { ConversationStore } from "./contract/conversation-store.ts";
import type { ConversationInfo } from "./contract/records.ts";
import type { ConversationKey } from "./contract/scope.ts";

const PAGE = 1_000;

/** Every item of a list. `read` reads the page at a place, and the first page for no place. */
export async function* everyItem<T>(
  read: (place: { readonly cursor?: string }) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let place = {}; ; ) {
    const { items, next } = await read(place);
    yield* items;
    if (next === null) return;
    place = { cursor: next };
  }
}

/** Every conversation of a tree, in the order they were made. */
export function everyBranch(
  store: Pick<ConversationStore, "branches">,
  key: ConversationKey,
  options: CallOptions = {},
): AsyncGenerator<ConversationInfo> {
  return everyItem((place) => store.branches(key, { ...options, limit: PAGE, ...place }));
}

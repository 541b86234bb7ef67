/** Every conversation of a tree, in the order they were made. */
import type { CallOptions } from "./contract/call-options.ts";
import type { ConversationStore } from "./contract/conversation-store.ts";
import type { ConversationInfo } from "./contract/records.ts";
import type { ConversationKey } from "./contract/scope.ts";

const PAGE = 1_000;

export async function* everyBranch(
  store: Pick<ConversationStore, "branches">,
  key: ConversationKey,
  options: CallOptions = {},
): AsyncGenerator<ConversationInfo> {
  for (let cursor: string | undefined; ; ) {
    const { items, next } = await store.branches(key, {
      ...options,
      limit: PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield* items;
    if (next === null) return;
    cursor = next;
  }
}

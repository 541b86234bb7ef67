/**
 * Receipts of the other conversations of a tree. Branches share the beginning of their requests, so each branch can
 * read what another branch left in the provider's cache.
 */
import { type ConversationKey, type ConversationStore, everyBranch } from "@cairn/store";
import { CairnError, type EventBody } from "@cairn/timeline";

/** Maximum number of branches whose receipts are read. With more, a prediction may be too low. */
const MAX_BRANCHES = 20;
/** Maximum number of events of a branch that are read, the latest first. They keep most older cache entries alive. */
const MAX_EVENTS = 2_000;

/**
 * Receipts since `oldest` (epoch seconds) that the conversation itself does not have, in no particular order. They only
 * improve a prediction, so a deleted or damaged branch is left out and does not make the turn fail.
 */
export async function treeReceipts(
  store: ConversationStore,
  key: ConversationKey,
  oldest: number,
): Promise<EventBody<"model.receipt">[]> {
  const receipts: EventBody<"model.receipt">[] = [];
  const others = (await Array.fromAsync(everyBranch(store, key)))
    .filter((info) => info.conversation !== key.conversation && info.last_activity_at / 1000 >= oldest)
    .sort((a, b) => b.last_activity_at - a.last_activity_at);
  for (const { conversation, last_seq } of others.slice(0, MAX_BRANCHES)) {
    const after = Math.max(0, last_seq - MAX_EVENTS);
    const events = await store
      .readEvents({ ...key, conversation }, { after, limit: MAX_EVENTS })
      .catch(unlessUnreadable);
    for (const { event } of events)
      if (!("unknown" in event) && event.kind === "model.receipt" && event.body.started_at >= oldest)
        receipts.push(event.body);
  }
  return receipts;
}

function unlessUnreadable(error: unknown): [] {
  if (CairnError.is(error) && (error.code === "not_found" || error.code === "corrupt")) return [];
  throw error;
}

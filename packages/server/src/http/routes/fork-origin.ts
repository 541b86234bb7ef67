/** The conversation that a fork was copied from, if it still exists. A branch of a fork has the origin of the fork. */
import type { ForkedFrom } from "@cairn/api";
import type { ConversationInfo, ConversationKey, ConversationStore } from "@cairn/store";
import { nullIfNotFound } from "@cairn/timeline";

/** Maximum number of branches, each in another one, that are followed back to the fork. */
const MAX_BRANCHES = 20;

export async function forkOrigin(
  store: ConversationStore,
  key: ConversationKey,
  info: ConversationInfo,
): Promise<ForkedFrom | null> {
  let origin = info.forked_from;
  let shared = Number.POSITIVE_INFINITY;
  for (let passed = 0; origin !== null && passed <= MAX_BRANCHES; passed++) {
    const from: ConversationInfo | null = await store
      .getConversation({ ...key, conversation: origin.conversation })
      .catch(nullIfNotFound);
    shared = Math.min(shared, origin.seq);
    if (from === null) return null;
    if (origin.branch !== true) return { conversation_id: from.conversation, title: from.title, seq: shared };
    origin = from.forked_from;
  }
  return null;
}

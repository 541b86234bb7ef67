/** Creates a conversation with its first message, under an id that its client chose. */
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError } from "@cairn/timeline";

/** Returns whether it was created. `accept` is called before that, and may throw. */
export async function beginConversation(
  store: ConversationStore,
  key: ConversationKey,
  agent: string,
  accept: () => void = () => undefined,
): Promise<boolean> {
  try {
    await store.getConversation(key);
    return false;
  } catch (error) {
    if (!CairnError.is(error) || error.code !== "not_found") throw error;
  }
  accept();
  try {
    await store.createConversation(key, { attributes: { agent } });
    return true;
  } catch (error) {
    // Two messages at once may both begin a conversation.
    if (!CairnError.is(error) || error.code !== "conversation_exists") throw error;
    return false;
  }
}

/** Conversations with something to do: an open turn, or a message nobody has taken up. */
import type { ConversationKey, ConversationStore, Scope } from "@cairn/store";

export async function* unfinished(store: ConversationStore, scopes: readonly Scope[]): AsyncGenerator<ConversationKey> {
  for (const scope of scopes) {
    const { items } = await store.listConversations(scope, { limit: 100 });
    for (const { conversation } of items) {
      const { state } = await store.load({ ...scope, conversation });
      if (state.openTurn !== null || state.pendingInputs.size > 0) yield { ...scope, conversation };
    }
  }
}

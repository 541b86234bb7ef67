/** Reports the turn that an import closed and the messages that it dropped, from the last event of the journal. */
import type { ConversationStore } from "../contract/conversation-store.ts";
import type { ConversationKey } from "../contract/scope.ts";

export interface ImportReport {
  readonly closed_turn: string | null;
  /** Number of waiting messages in the file that were dropped. */
  readonly dropped_messages: number;
}

export async function reportImport(
  store: Pick<ConversationStore, "readEvents">,
  key: ConversationKey,
  lastSeq: number,
): Promise<ImportReport> {
  const [last] = lastSeq === 0 ? [] : await store.readEvents(key, { after: lastSeq - 1, limit: 1 });
  const event = last?.event;
  if (event === undefined || "unknown" in event || event.kind !== "conversation.imported")
    return { closed_turn: null, dropped_messages: 0 };
  const { closed_turn, dropped_messages } = event.body;
  return { closed_turn, dropped_messages };
}

/** A conversation as the API lists it. */
import type { Conversation } from "@cairn/api";
import type { ConversationInfo, ConversationKey } from "@cairn/store";
import type { ServerParts } from "./server-parts.ts";

export async function describeConversation(
  { queue }: Pick<ServerParts, "queue">,
  key: ConversationKey,
  info: ConversationInfo,
): Promise<Conversation> {
  const { agent } = info.attributes;
  const { status } = await queue.status(key);
  return {
    conversation_id: info.conversation,
    title: info.title,
    agent: typeof agent === "string" ? agent : null,
    created_at: new Date(info.created_at).toISOString(),
    last_activity_at: new Date(info.last_activity_at).toISOString(),
    // If a turn is open and this process does not run it, another process runs it.
    status: status === "idle" && info.open_turn !== null ? "running" : status,
    last_seq: info.last_seq,
  };
}

/** Creates conversations: empty ones, or with their first message, under an id that its client chose. */
import type { BodyOf, createConversation as createdBy } from "@cairn/api";
import type { ConversationKey, ConversationStore, Scope } from "@cairn/store";
import { CairnError, nullIfNotFound } from "@cairn/timeline";
import { newConversationId } from "../data/conversation-id.ts";
import { titleGiven } from "../turns/give-title.ts";
import { admitMessage, checkContext, type MessageParts, type NewMessage, takeMessage } from "./take-message.ts";

/** Creates an empty conversation and returns its id. */
export async function createConversation(
  { agents, now, room, store }: Pick<MessageParts, "agents" | "now" | "room" | "store">,
  scope: Scope,
  { agent, title, reasoning }: BodyOf<typeof createdBy>,
): Promise<string> {
  const { name } = agents.find(agent ?? null);
  await room.check(scope);
  const conversation = newConversationId(now());
  const events = title === undefined ? [] : [titleGiven("created", title, now())];
  const attributes = { agent: name, ...(reasoning === undefined ? {} : { reasoning: { ...reasoning } }) };
  await store.createConversation({ ...scope, conversation }, { attributes, events });
  return conversation;
}

/** Creates the conversation if it is missing; returns whether it did so. `accept` is called before, and may throw. */
export async function beginConversation(
  store: ConversationStore,
  key: ConversationKey,
  agent: string,
  accept: () => void = () => undefined,
): Promise<boolean> {
  if ((await store.getConversation(key).catch(nullIfNotFound)) !== null) return false;
  accept();
  try {
    await store.createConversation(key, { attributes: { agent } });
    return true;
  } catch (error) {
    // Two messages that arrive at the same time may both try to create the conversation.
    if (!CairnError.is(error) || error.code !== "conversation_exists") throw error;
    return false;
  }
}

/** Takes a message; creates the conversation if it does not exist. A refused message creates no conversation. */
export async function takeOrBegin(
  parts: MessageParts,
  key: ConversationKey,
  sent: NewMessage,
  idempotencyKey: string | null,
): ReturnType<typeof takeMessage> {
  await admitMessage(parts, key, sent);
  const agent = parts.agents.find(sent.agent ?? null);
  await beginConversation(parts.store, key, agent.name, () => void checkContext(agent, sent.context));
  return takeMessage(parts, key, sent, idempotencyKey);
}

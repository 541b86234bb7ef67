/** The agent of a turn: that of the conversation, unless the message asked for another agent or model. */
import type { AgentDefinition } from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import type { TurnChoice } from "@cairn/timeline";
import type { Agents } from "./agents.ts";
import { earlierChoice } from "./earlier-artifacts.ts";

/** `turnId` is null when no turn is open. Throws `bad_agent` and `bad_model`. */
export async function chooseAgent(
  { store, agents }: { readonly store: ConversationStore; readonly agents: Agents },
  key: ConversationKey,
  turnId: string | null,
  asked: TurnChoice,
): Promise<AgentDefinition> {
  const { attributes } = await store.getConversation(key);
  const choice = { ...(turnId === null ? {} : await earlierChoice(store, key, turnId)), ...asked };
  const agent = agents.find(choice.agent ?? (typeof attributes.agent === "string" ? attributes.agent : null));
  return choice.model === undefined ? agent : agents.withModel(agent, choice.model);
}

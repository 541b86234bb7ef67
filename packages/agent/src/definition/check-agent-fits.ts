/** Checks at the start that an agent's tools and instructions fit into its model's window and suit the provider. */
import { type CountTokens, checkFixedPart, outputTokens } from "@cairn/timeline";
import type { OfferedTools } from "../protocol/decision-protocol.ts";
import { protocolOf } from "../protocol/protocol-of.ts";
import { decisionTools } from "../protocol/protocol-tools.ts";
import { createRegistry } from "../tool/registry.ts";
import type { AgentDefinition } from "./define-agent.ts";

/** The changes to the agent's tools that its provider requires, one sentence each. None if tools are sent as text. */
export function describeToolFitting(agent: AgentDefinition): readonly string[] {
  const { tools, inText } = offerTools(agent, "");
  return inText === undefined ? (agent.model.describeFitting?.(tools) ?? []) : [];
}

/** Throws `context_too_small` when tools, instructions and the answer take too much of the model's window. */
export function checkAgentFits(agent: AgentDefinition, countTokens: CountTokens): void {
  checkFixedPart({
    maxTokens: agent.model.contextTokens,
    systemTokens: countTokens(agent.instructions),
    toolsTokens: countTokens(offeredText(offerTools(agent, ""))),
    maxOutputTokens: outputTokens(agent.model),
  });
}

/** The agent's tools as its model gets them. The text protocol derives the code in its tags from `conversation`. */
function offerTools(agent: AgentDefinition, conversation: string): OfferedTools {
  const specs = decisionTools(createRegistry(agent.tools ?? [], agent.policies).specs(), false, agent.offers);
  return protocolOf(agent).offer(specs, conversation);
}

/** The text that describes the tools in a request, for counting its tokens. */
export function offeredText({ tools, inText }: OfferedTools): string {
  return inText === undefined ? JSON.stringify(tools) : inText.text;
}

/** Whether an agent fits its model: room for a conversation, and tools the provider takes. Checked when a process starts. */
import { type CountTokens, checkFixedPart, outputTokens } from "@cairn/timeline";
import type { AgentDefinition } from "./define-agent.ts";
import { nativeProtocol } from "./protocol/native-protocol.ts";
import { createRegistry } from "./tool/registry.ts";

/** What has to be changed of the agent's tools so that its model's provider takes them, a sentence each. */
export function describeToolFitting({ model, tools = [] }: AgentDefinition): readonly string[] {
  return model.describeFitting?.(nativeProtocol.specs(createRegistry(tools).specs())) ?? [];
}

/** Throws `context_too_small` when tools, instructions and the answer take too much of the model's window. */
export function checkAgentFits(agent: AgentDefinition, countTokens: CountTokens): void {
  const specs = nativeProtocol.specs(createRegistry(agent.tools ?? []).specs());
  checkFixedPart({
    maxTokens: agent.model.contextTokens,
    systemTokens: countTokens(agent.instructions),
    toolsTokens: countTokens(JSON.stringify(specs)),
    maxOutputTokens: outputTokens(agent.model),
  });
}

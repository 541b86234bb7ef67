/** Checks, when a process starts, that an agent's fixed part fits its model and that the provider accepts its tools. */
import { type CountTokens, checkFixedPart, outputTokens } from "@cairn/timeline";
import { nativeProtocol } from "../protocol/native-protocol.ts";
import { createRegistry } from "../tool/registry.ts";
import type { AgentDefinition } from "./define-agent.ts";

/** The changes to the agent's tools that its provider requires, one sentence each. */
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

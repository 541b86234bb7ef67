/** Whether an agent leaves its model room for a conversation. Checked when a process or a turn starts. */
import { type CountTokens, checkFixedPart, outputTokens } from "@cairn/timeline";
import type { AgentDefinition } from "./define-agent.ts";
import { nativeProtocol } from "./protocol/native-protocol.ts";
import { createRegistry } from "./tool/registry.ts";

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

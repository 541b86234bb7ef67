/** The tools that a request offers: those of the agent, and those of the protocol. */
import type { TimelineState } from "@cairn/timeline";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import type { ToolSpec } from "../../model/model.ts";
import { decisionTools } from "../../protocol/protocol-tools.ts";
import type { ToolRegistry } from "../../tool/registry.ts";

/**
 * The tool for structured output is offered from the first message with a schema on, and then in every request: tools
 * are the beginning of the prefix, so they change at most once.
 */
export function offeredTools(
  registry: Pick<ToolRegistry, "specs">,
  { openTurnChoice, lastReceipt }: TimelineState,
  { offers }: Pick<AgentDefinition, "offers">,
): readonly ToolSpec[] {
  const hasOutput = openTurnChoice.output !== undefined || lastReceipt?.offers_output === true;
  return decisionTools(registry.specs(), hasOutput, offers);
}

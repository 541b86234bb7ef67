/** The tools that a request offers: the agent's tools, and the tools of the protocol. */
import type { TimelineState } from "@cairn/timeline";
import type { AgentDefinition } from "../../definition/define-agent.ts";
import type { ToolSpec } from "../../model/model.ts";
import { decisionTools } from "../../protocol/protocol-tools.ts";
import type { ToolRegistry } from "../../tool/registry.ts";

/**
 * From the first message with a schema on, every request offers the tool for structured output. Tools are the beginning
 * of the prefix, so they must change at most once.
 */
export function offeredTools(
  registry: Pick<ToolRegistry, "specs">,
  { openTurnChoice, lastReceipt }: TimelineState,
  { offers }: Pick<AgentDefinition, "offers">,
): readonly ToolSpec[] {
  const hasOutput = openTurnChoice.output !== undefined || lastReceipt?.offers_output === true;
  return decisionTools(registry.specs(), hasOutput, offers);
}

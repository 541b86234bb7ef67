/** The agent with its own tools and the tools that `findTools` finds for a user. */
import type { Scope } from "@cairn/store";
import type { AgentDefinition } from "./define-agent.ts";

export async function withFoundTools(
  agent: AgentDefinition,
  { tenant, project, user }: Scope,
  signal: AbortSignal,
): Promise<AgentDefinition> {
  if (agent.findTools === undefined) return agent;
  const found = await agent.findTools({ tenant, project, user }, signal);
  return { ...agent, tools: [...(agent.tools ?? []), ...found] };
}

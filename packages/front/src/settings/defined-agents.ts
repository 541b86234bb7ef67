/** The settings `agent` and `agents`: agents that a configuration file defines. */
import type { AgentDefinition } from "@cairn/agent";
import { badConfig, fromFile, isObject, type Source, type ValuesOf } from "./setting.ts";

export const DEFINED_AGENTS = {
  agent: fromFile(
    { byDefault: "the built-in agent", about: "Your own agent, made with `defineAgent` (TypeScript only)." },
    (agent) => agent,
  ),
  agents: fromFile(
    {
      byDefault: "the built-in agent",
      about:
        "A list of agents. A conversation keeps the agent it began with: the one it names, or the first of the list.",
    },
    (agents) => agents,
  ),
};

/** Returns the agents of a configuration file. The first one is the default. */
export function agentsOf(
  { agent, agents }: ValuesOf<typeof DEFINED_AGENTS>,
  source: Source,
): readonly AgentDefinition[] {
  const listed: unknown = agents ?? (agent === undefined ? [] : [agent]);
  if (!Array.isArray(listed)) throw badConfig(source, "`agents` must be a list");
  const names = new Set<string>();
  return listed.map((each: unknown) => {
    if (!isAgent(each))
      throw badConfig(
        source,
        "an agent needs `name`, `instructions` and a `model` that streams; make it with defineAgent",
      );
    if (names.has(each.name))
      throw badConfig(source, `two agents are named ${JSON.stringify(each.name)}; give each its own name`);
    names.add(each.name);
    return each;
  });
}

function isAgent(value: unknown): value is AgentDefinition {
  if (!isObject(value) || typeof value.name !== "string" || value.name === "") return false;
  return typeof value.instructions === "string" && isObject(value.model) && typeof value.model.stream === "function";
}

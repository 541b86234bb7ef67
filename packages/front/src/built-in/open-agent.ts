/** Opens the agent for a command: a configured one, or the built-in agent with all tools that work here. */
import {
  type AgentDefinition,
  defineAgent,
  describeSkills,
  describeToolFitting,
  loadSkills,
  offlineModel,
  resolveModel,
  withFoundTools,
} from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { PeoplesServer } from "@cairn/tools/mcp";
import { LOCAL_SCOPE } from "../data/local-data.ts";
import type { Settings } from "../settings/settings.ts";
import { openTools, type ToolUsers } from "./agent-tools.ts";

const INSTRUCTIONS = `You are Cairn, a research and writing assistant with a durable timeline.

What you see is the timeline of this conversation, oldest first: messages, your own notes, tool calls and their results, each under its logical path. The sources pool and the announcement at the end are current.

- Read before you answer. Cite what you take from a source with its number, as [[S:3]], right behind the statement. Never cite a source you have not read, and say so when the sources do not answer the question.`;

const MANNERS = `
- Text beside a call is a short note on what you are doing; text without a call is your answer. Answer in the user's language.`;

const OFFLINE = "offline";

export interface OpenedAgent extends AsyncDisposable {
  readonly agent: AgentDefinition;
  /** Configured parts that do not work, one sentence each. */
  readonly problems: readonly string[];
  readonly mcpServers?: readonly PeoplesServer[];
  /** The entries of `problems` that are about skills. */
  readonly skillProblems?: readonly string[];
}

/** `name`: the agent's name, from the conversation or the user (default: the first agent). */
export async function openAgent(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  name: string | null,
  users: ToolUsers = {},
): Promise<OpenedAgent> {
  const [first] = settings.agents;
  if (first === undefined) return builtInAgent(settings, env, name, users);
  const found = name === null ? first : settings.agents.find((each) => each.name === name);
  if (found === undefined) throw noAgent(name, settings.agents);
  const model = settings.model === null ? found.model : await resolveModel(settings.model, env);
  const agent = withReasoning({ ...found, model, policies: { ...found.policies, ...settings.policies } }, settings);
  return {
    agent,
    problems: [...unboundBudgets(agent), ...describeToolFitting(agent)],
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function builtInAgent(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  name: string | null,
  users: ToolUsers,
): Promise<OpenedAgent> {
  if (name !== null && name !== "cairn") throw noAgent(name, [{ name: "cairn" }]);
  const skillProblems: string[] = [];
  const skills = await loadSkills(settings.skills, (problem) => skillProblems.push(problem));
  // Models come before tools, because they fail faster. The offline model comes last: it names what the tools search.
  const resolve = async (named: string) => {
    const resolved = await resolveModel(named, env); // Also finds wrong settings for the offline model.
    return named === OFFLINE ? null : resolved;
  };
  const main = await resolve(settings.model ?? OFFLINE);
  const others = await Promise.all(settings.fallback.map(resolve));
  const { tools, findTools, mcpServers, instructions, place, problems, close } = await openTools(
    settings,
    env,
    skills,
    users,
  );
  const model = main ?? offlineModel({ place });
  const fallback = others.map((each) => each ?? offlineModel({ place }));
  const parts = [`${INSTRUCTIONS}${instructions}${MANNERS}`, describeSkills(skills), settings.instructions ?? ""];
  const defined = defineAgent({
    name: "cairn",
    instructions: parts.filter((part) => part !== "").join("\n\n"),
    model,
    ...(fallback.length === 0 ? {} : { fallback }),
    gate: { model },
    tools,
    ...(findTools === undefined ? {} : { findTools }),
    budgets: settings.budgets,
    policies: settings.policies,
    request: settings.request,
    memory: { standingOrders: settings.standingOrders },
  });
  const agent = withReasoning(defined, settings);
  const equipped = await withFoundTools(agent, users.owner ?? LOCAL_SCOPE, new AbortController().signal);
  const own = [...unboundBudgets(agent), ...describeToolFitting(equipped)];
  return {
    agent,
    problems: [...skillProblems, ...problems, ...own],
    ...(mcpServers === undefined ? {} : { mcpServers }),
    skillProblems,
    [Symbol.asyncDispose]: close,
  };
}

/** The limits of the process, for an agent without limits of its own. */
function withReasoning(agent: AgentDefinition, { reasoning }: Settings): AgentDefinition {
  return reasoning === null ? agent : { ...agent, request: { reasoning, ...agent.request } };
}

/** A limit in dollars works only if the price is known. */
export function unboundBudgets({ name, budgets, ...agent }: AgentDefinition): readonly string[] {
  // If a function returns the limits, their values are not known yet.
  const known = typeof budgets === "function" ? {} : budgets;
  const isBounded = known?.dollars !== undefined || known?.user?.dollars !== undefined;
  const model = [agent.model, ...(agent.fallback ?? [])].find(({ prices }) => prices === undefined);
  if (!isBounded || model === undefined) return [];
  return [
    `The agent ${name} has a budget in dollars, but the price of ${model.id} is unknown, so the budget has no effect. Set a budget in tokens.`,
  ];
}

function noAgent(name: string | null, agents: readonly { readonly name: string }[]): CairnError {
  const known = agents.map((agent) => agent.name).join(", ");
  return new CairnError(
    "bad_config",
    `There is no agent ${JSON.stringify(name)}. The configuration defines: ${known}.`,
  );
}

/** The agent a command talks to: one the configuration defines, or the built-in one. */
import {
  type AgentDefinition,
  defineAgent,
  describeSkills,
  loadSkills,
  offlineModel,
  reactTools,
  resolveModel,
} from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { Settings } from "./settings.ts";

const INSTRUCTIONS = `You are Cairn, a research and writing assistant with a durable timeline.

What you see is the timeline of this conversation, oldest first: messages, your own notes, tool calls and their results, each under its logical path. The sources pool and the announcement at the end are current.

- Read before you answer. Attachments and files are read with react.read by their logical path; what was hidden or summarised can be read again by its path.
- Cite what you take from a source with its number, as [[S:3]], right behind the statement. Never cite a source you have not read, and say so when the sources do not answer the question.
- Work of several steps is planned with react.plan; report progress in your notes.
- A text the user is going to keep, such as a report, is written to a file with react.write, with its citations.
- What the user wants remembered is written to the channel internal.
- Text beside a call is a short note on what you are doing; text without a call is your answer. Answer in the user's language.`;

/** `name`: as the conversation or the user says; the first one otherwise. */
export async function resolveAgent(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  name: string | null,
): Promise<AgentDefinition> {
  const [first] = settings.agents;
  if (first === undefined) return builtInAgent(settings, env, name);
  const agent = name === null ? first : settings.agents.find((each) => each.name === name);
  if (agent === undefined) throw noAgent(name, settings.agents);
  return settings.model === null ? agent : { ...agent, model: await resolveModel(settings.model, env) };
}

async function builtInAgent(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  name: string | null,
): Promise<AgentDefinition> {
  if (name !== null && name !== "cairn") throw noAgent(name, [{ name: "cairn" }]);
  const skills = settings.skills === null ? [] : await loadSkills(settings.skills);
  const parts = [INSTRUCTIONS, describeSkills(skills), settings.instructions ?? ""];
  const model = settings.model === null ? offlineModel() : await resolveModel(settings.model, env);
  return defineAgent({
    name: "cairn",
    instructions: parts.filter((part) => part !== "").join("\n\n"),
    model,
    gate: { model },
    tools: reactTools(skills),
    budgets: settings.budgets,
  });
}

function noAgent(name: string | null, agents: readonly { readonly name: string }[]): CairnError {
  const known = agents.map((agent) => agent.name).join(", ");
  return new CairnError("bad_config", `There is no agent ${JSON.stringify(name)}; the configuration has ${known}.`);
}

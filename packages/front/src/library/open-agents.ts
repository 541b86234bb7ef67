/** Opens the agents of an application: resolves their models, loads their skills, connects their MCP servers. */
import { readFile } from "node:fs/promises";
import { defineAgent, describeToolFitting, loadSkills, type Model, reactTools, resolveModel } from "@cairn/agent";
import { CairnError, isJsonObject } from "@cairn/timeline";
import type { Secrets } from "@cairn/tools/mcp";
import { type OpenedAgent, unboundBudgets } from "../built-in/open-agent.ts";
import type { Agent } from "../define/agent.ts";

const OPTIONS: Readonly<Record<keyof Agent, true>> = {
  name: true,
  instructions: true,
  model: true,
  fallback: true,
  tools: true,
  react: true,
  askUser: true,
  followups: true,
  skills: true,
  mcp: true,
  policies: true,
  context: true,
  announce: true,
  budgets: true,
  hooks: true,
  request: true,
  memory: true,
  titles: true,
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws an error that names the agent when a part of it cannot be opened. */
export async function openAgents(
  agents: readonly Agent[],
  env: Environment,
  secrets: Secrets,
): Promise<readonly OpenedAgent[]> {
  if (agents.length === 0) throw new CairnError("bad_agent", "`agents` is empty. Give at least one agent.");
  const names = new Set<string>();
  for (const each of agents) {
    const { name } = each;
    if (typeof name !== "string" || name === "") throw new CairnError("bad_agent", "An agent needs a `name`.");
    if (names.has(name)) throw new CairnError("bad_agent", `Two agents are named ${JSON.stringify(name)}.`);
    names.add(name);
    const unknown = Object.keys(each).find((option) => !Object.hasOwn(OPTIONS, option));
    if (unknown !== undefined)
      throw new CairnError("bad_agent", `The agent ${name} has an unknown option \`${unknown}\`.`, { field: unknown });
  }
  const opened: OpenedAgent[] = [];
  try {
    for (const each of agents) opened.push(await openAgent(each, env, secrets));
    return opened;
  } catch (error) {
    await Promise.all(opened.map((each) => each[Symbol.asyncDispose]()));
    throw error;
  }
}

async function openAgent(given: Agent, env: Environment, secrets: Secrets): Promise<OpenedAgent> {
  const {
    model = "offline",
    fallback = [],
    skills = [],
    mcp,
    titles,
    react = true,
    tools = [],
    askUser = true,
    followups = true,
    ...rest
  } = given;
  const opened = mcp === undefined ? null : await openMcp(given.name, mcp, env, secrets);
  try {
    const skillProblems: string[] = [];
    const warn = (problem: string) => skillProblems.push(problem);
    const loaded = typeof skills === "string" ? await loadSkills(skills, warn) : skills;
    const found = {
      model: await resolve(model, env),
      fallback: await Promise.all(fallback.map((each) => resolve(each, env))),
      gate: titles === undefined ? null : { model: await resolve(titles, env) },
    };
    const agent = defineAgent({
      ...rest,
      offers: { askUser, followups },
      model: found.model,
      ...(found.fallback.length === 0 ? {} : { fallback: found.fallback }),
      ...(found.gate === null ? {} : { gate: found.gate }),
      skills: loaded,
      followLink: opened?.followLink,
      tools: [...(react ? reactTools([], opened?.followLink) : []), ...tools],
      ...(opened === null ? {} : { findTools: opened.findTools }),
    });
    const equipped = { ...agent, tools: [...(agent.tools ?? []), ...(opened?.tools ?? [])] };
    return {
      agent,
      ...(opened === null ? {} : { mcpServers: opened.servers }),
      problems: [
        ...skillProblems,
        ...(opened?.problems ?? []),
        ...unboundBudgets(agent),
        ...describeToolFitting(equipped),
      ],
      [Symbol.asyncDispose]: async () => opened?.close(),
    };
  } catch (error) {
    await opened?.close();
    throw error;
  }
}

async function resolve(model: string | Model, env: Environment): Promise<Model> {
  return typeof model === "string" ? await resolveModel(model, env) : model;
}

/** Content with `mcpServers` is in the format of `.mcp.json`; other content is that of the setting `mcp`. */
async function openMcp(agent: string, mcp: NonNullable<Agent["mcp"]>, env: Environment, secrets: Secrets) {
  const { connectMcp, parseMcpConfig, readMcpJson } = await import("@cairn/tools/mcp");
  const content: unknown = typeof mcp === "string" ? await readMcpFile(agent, mcp) : mcp;
  const place = typeof mcp === "string" ? mcp : `\`mcp\` of the agent ${agent}`;
  const isFormat = isJsonObject(content) && content.mcpServers !== undefined;
  const servers = isFormat ? readMcpJson(JSON.stringify(content), env, place) : content;
  return connectMcp(Object.fromEntries(parseMcpConfig(servers)), { secrets });
}

async function readMcpFile(agent: string, path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CairnError("bad_agent", `\`mcp\` of the agent ${agent}: ${path} cannot be read: ${why}`);
  }
}

/** Opens the agents of an application: resolves their models, loads their skills, connects their MCP servers. */
import { readFile } from "node:fs/promises";
import { defineAgent, describeToolFitting, loadSkills, type Model, reactTools, resolveModel } from "@cairn/agent";
import { CairnError, isJsonObject } from "@cairn/timeline";
import type { Secrets } from "@cairn/tools/mcp";
import { type OpenedAgent, unboundBudgets } from "../built-in/open-agent.ts";
import type { Agent } from "../define/agent.ts";
import { checkAgent, checkedBudgets } from "./check-agent.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws an error that names the agent if one of its parts cannot be opened. */
export async function openAgents(
  agents: readonly Agent[],
  env: Environment,
  secrets: Secrets,
): Promise<readonly OpenedAgent[]> {
  if (!Array.isArray(agents)) throw new CairnError("bad_agent", "`agents` must be a list of agents.");
  if (agents.length === 0) throw new CairnError("bad_agent", "`agents` is empty. Give at least one agent.");
  const names = new Set<string>();
  for (const each of agents) {
    checkAgent(each);
    const { name } = each;
    if (names.has(name)) throw new CairnError("bad_agent", `Two agents are named ${JSON.stringify(name)}.`);
    names.add(name);
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
    budgets,
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
      ...(budgets === undefined ? {} : { budgets: checkedBudgets(given.name, budgets) }),
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

/**
 * Settings: what a configuration file and the environment say, checked. The environment goes before the file, the
 * file before the defaults. A wrong value is one clear line that names where it stands.
 */
import { isAbsolute, resolve } from "node:path";
import type { AgentDefinition, Budgets } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";

export interface Settings {
  /** Absolute. */
  readonly dataDir: string;
  /** As in `CAIRN_MODEL`; null when neither the environment nor the file names one: the agent's own, else offline. */
  readonly model: string | null;
  /** Absolute path of a folder of skills for the built-in agent; null for none. */
  readonly skills: string | null;
  /** Added to what the built-in agent is told. */
  readonly instructions: string | null;
  readonly budgets: Budgets;
  /** The agents a file defines; the first is used unless another is named. */
  readonly agents: readonly AgentDefinition[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const FILE_KEYS = ["dataDir", "model", "skills", "instructions", "budgets", "agent", "agents"];
const BUDGET_KEYS = ["iterations", "tokens", "dollars", "elapsedMs"] as const;
/** Known to the design, not to this version: better a clear word than data in an unexpected place. */
const NOT_YET = ["CAIRN_DATABASE_URL", "CAIRN_BLOBS_URL"];

export interface ConfigFile {
  /** For messages: the file's name. */
  readonly name: string;
  readonly content: unknown;
}

export function readSettings(file: ConfigFile | null, env: Environment, cwd: string): Settings {
  for (const name of NOT_YET)
    if (setting(env, name) !== null) throw badSetting(name, "is not supported yet; unset it to use the data folder");
  const content = file === null ? {} : contentOf(file);
  const at = file?.name ?? "";
  const dataDir = setting(env, "CAIRN_DATA_DIR") ?? textOf(content, "dataDir", at) ?? ".cairn";
  const skills = setting(env, "CAIRN_SKILLS") ?? textOf(content, "skills", at);
  return {
    dataDir: absolute(cwd, dataDir),
    model: setting(env, "CAIRN_MODEL") ?? textOf(content, "model", at),
    skills: skills === null ? null : absolute(cwd, skills),
    instructions: textOf(content, "instructions", at),
    budgets: budgetsOf(content.budgets, at),
    agents: agentsOf(content, at),
  };
}

/** An agent alone, or a list of agents, is a whole configuration. */
function contentOf({ name, content }: ConfigFile): Readonly<Record<string, unknown>> {
  if (Array.isArray(content)) return { agents: content };
  if (!isObject(content)) throw badConfig(name, "must hold an object or export one as its default");
  if ("name" in content && "instructions" in content) return { agent: content };
  const unknown = Object.keys(content).find((key) => !FILE_KEYS.includes(key));
  if (unknown !== undefined)
    throw badConfig(name, `has no setting ${JSON.stringify(unknown)}; there are ${FILE_KEYS.join(", ")}`);
  return content;
}

function agentsOf(content: Readonly<Record<string, unknown>>, at: string): AgentDefinition[] {
  const listed: unknown = content.agents ?? (content.agent === undefined ? [] : [content.agent]);
  if (!Array.isArray(listed)) throw badConfig(at, "`agents` must be a list");
  const names = new Set<string>();
  return listed.map((agent: unknown) => {
    if (!isAgent(agent))
      throw badConfig(at, "an agent needs `name`, `instructions` and a `model` that streams; make it with defineAgent");
    if (names.has(agent.name)) throw badConfig(at, `two agents are called ${JSON.stringify(agent.name)}`);
    names.add(agent.name);
    return agent;
  });
}

function isAgent(value: unknown): value is AgentDefinition {
  if (!isObject(value) || typeof value.name !== "string" || value.name === "") return false;
  return typeof value.instructions === "string" && isObject(value.model) && typeof value.model.stream === "function";
}

function budgetsOf(value: unknown, at: string): Budgets {
  if (value === undefined) return {};
  if (!isObject(value)) throw badConfig(at, "`budgets` must be an object");
  for (const [key, limit] of Object.entries(value)) {
    if (!BUDGET_KEYS.some((known) => known === key))
      throw badConfig(at, `\`budgets\` has no ${JSON.stringify(key)}; there are ${BUDGET_KEYS.join(", ")}`);
    if (typeof limit !== "number" || !(limit > 0) || !Number.isFinite(limit))
      throw badConfig(at, `\`budgets.${key}\` must be a number above 0`);
  }
  return value;
}

function textOf(content: Readonly<Record<string, unknown>>, key: string, at: string): string | null {
  const value = Object.hasOwn(content, key) ? content[key] : undefined;
  if (value === undefined) return null;
  if (typeof value !== "string" || value.trim() === "" || value.includes("\0"))
    throw badConfig(at, `\`${key}\` must be a text that is not empty`);
  return value;
}

/** An empty variable is an absent one. */
function setting(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === "" ? null : value;
}

function absolute(cwd: string, path: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function badConfig(file: string, problem: string): CairnError {
  return new CairnError("bad_config", `${file}: ${problem}.`, { file });
}

function badSetting(variable: string, problem: string): CairnError {
  return new CairnError("bad_setting", `${variable} ${problem}.`, { variable });
}

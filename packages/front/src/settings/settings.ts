/**
 * Settings from the configuration file and the environment, validated. The environment overrides the file, and the file
 * overrides the defaults. The error for a wrong value is one line that names its place.
 */
import { isAbsolute, resolve } from "node:path";
import {
  type AgentDefinition,
  type Budgets,
  type RequestSettings,
  readRequestSettings,
  TOOL_POLICIES,
  type ToolPolicies,
} from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import { type OidcSettings, readOidc } from "./oidc-settings.ts";
import { type CountSetting, SETTINGS, type SettingKey } from "./setting-table.ts";

export interface Settings {
  /** Absolute. */
  readonly dataDir: string;
  /** `postgres://…`; null for SQLite in the data folder. */
  readonly database: string | null;
  /** `s3://…` or an absolute folder; null for the data folder. Needs a database. */
  readonly blobs: string | null;
  /**
   * As in `CAIRN_MODEL`; null when neither the environment nor the file sets it: then the agent's own model, or else
   * the offline model.
   */
  readonly model: string | null;
  /** Absolute path of a folder of skills for the built-in agent; null for none. */
  readonly skills: string | null;
  /** Text added to the built-in agent's instructions. */
  readonly instructions: string | null;
  readonly standingOrders: "conversation" | "user";
  readonly budgets: Budgets;
  /** Policies for the tools of every agent. */
  readonly policies: ToolPolicies;
  /** Fallback models of the built-in agent, in order. */
  readonly fallback: readonly string[];
  /** Request settings of the built-in agent's model. */
  readonly request: RequestSettings;
  /** The agents that a file defines; the first is the default. */
  readonly agents: readonly AgentDefinition[];
  readonly tools: ToolSettings;
  readonly server: ServerSettings;
}

/**
 * Tool settings of the built-in agent, unparsed: they are parsed when the tools are opened, so that other commands load
 * none.
 */
interface ToolSettings {
  /** As in `CAIRN_SEARCH`, with an absolute folder; null for the sample library. */
  readonly search: string | null;
  readonly fetchAllow: readonly string[];
  /** The only hosts that pages are fetched from; empty for every public host. */
  readonly fetchOnly: readonly string[];
  /** As in `CAIRN_SANDBOX`; null if unset. */
  readonly sandbox: string | null;
  readonly mcp: Readonly<Record<string, unknown>>;
}

/** Additional settings of `cairn serve`. */
export interface ServerSettings {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Unparsed: a file, or the list itself (`auth/tokens.ts`); null for none. */
  readonly tokens: string | null;
  /** The OpenID Connect issuer; null for none. */
  readonly oidc: OidcSettings | null;
  /** Where the audit log goes: `stdout` or an absolute path; null for none. */
  readonly audit: string | null;
  /** Whether to send data to an OpenTelemetry collector. */
  readonly otel: boolean;
  /** Other origins whose pages may call this server. */
  readonly origins: readonly string[];
  /** Models that a turn may use besides its agent's own. */
  readonly models: readonly string[];
  /** Provider options that a message may set, such as `anthropic.effort`. */
  readonly providerOptions: readonly string[];
  /** Maximum number of concurrent turns. */
  readonly concurrency: number;
  /** Conversations of one tenant that may wait for a turn. */
  readonly queue: number;
  /** Of one user. */
  readonly userQueue: number;
  /** Percent of turns, programs and upload memory. */
  readonly userShare: number;
  readonly tenantShare: number;
  /** Requests a second. */
  readonly userRequests: number;
  readonly tenantRequests: number;
  /** Open event streams. */
  readonly userFollowers: number;
  readonly tenantFollowers: number;
  readonly userStorageMb: number;
  readonly tenantStorageMb: number;
  readonly uploadMb: number;
  /** How long running turns may continue when the server stops. */
  readonly drainSeconds: number;
  /** Megabytes that stay free where the data folder is. */
  readonly reserveMb: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const FILE_KEYS: readonly string[] = SETTINGS.map(({ key }) => key);
const TURN_BUDGETS = ["iterations", "tokens", "dollars", "elapsedMs"];
const USER_BUDGETS = ["tokens", "dollars", "windowMs"];

export interface ConfigFile {
  /** The file's name, for messages. */
  readonly name: string;
  readonly content: unknown;
}

export function readSettings(file: ConfigFile | null, env: Environment, cwd: string): Settings {
  const content = file === null ? {} : contentOf(file);
  const at = file?.name ?? "";
  const source: Source = { env, content, at };
  const skills = textSetting(source, "skills");
  return {
    dataDir: absolute(cwd, textSetting(source, "dataDir") ?? ".cairn"),
    ...storeOf(textSetting(source, "database"), textSetting(source, "blobs"), cwd),
    model: textSetting(source, "model"),
    skills: skills === null ? null : absolute(cwd, skills),
    instructions: textSetting(source, "instructions"),
    budgets: budgetsOf(content.budgets, at),
    policies: policiesOf(content.policies, at),
    fallback: listSetting(source, "fallback"),
    request: requestOf(content.request, at),
    standingOrders: standingOrdersOf(textSetting(source, "standingOrders"), at),
    agents: agentsOf(content, at),
    tools: {
      search: searchOf(textSetting(source, "search"), cwd),
      fetchAllow: listSetting(source, "fetchAllow"),
      fetchOnly: listSetting(source, "fetchOnly"),
      sandbox: textSetting(source, "sandbox"),
      mcp: mcpOf(content.mcp, at),
    },
    server: {
      host: textSetting(source, "host") ?? "127.0.0.1",
      port: countSetting(source, "port"),
      tokens: textSetting(source, "tokens"),
      oidc: readOidc({
        issuer: textSetting(source, "oidcIssuer"),
        audience: textSetting(source, "oidcAudience"),
        tenant: textSetting(source, "oidcTenant"),
        project: textSetting(source, "oidcProject"),
        user: textSetting(source, "oidcUser"),
        inspect: textSetting(source, "oidcInspect"),
      }),
      audit: auditOf(textSetting(source, "audit"), cwd),
      otel: countSetting(source, "otel") === 1,
      origins: listSetting(source, "origins").map((origin) => checkOrigin(origin, at)),
      models: listSetting(source, "models"),
      providerOptions: listSetting(source, "providerOptions"),
      concurrency: countSetting(source, "concurrency"),
      queue: countSetting(source, "queue"),
      userQueue: countSetting(source, "userQueue"),
      userShare: countSetting(source, "userShare"),
      tenantShare: countSetting(source, "tenantShare"),
      userRequests: countSetting(source, "userRequests"),
      tenantRequests: countSetting(source, "tenantRequests"),
      userFollowers: countSetting(source, "userFollowers"),
      tenantFollowers: countSetting(source, "tenantFollowers"),
      userStorageMb: countSetting(source, "userStorageMb"),
      tenantStorageMb: countSetting(source, "tenantStorageMb"),
      uploadMb: countSetting(source, "uploadMb"),
      drainSeconds: countSetting(source, "drainSeconds"),
      reserveMb: countSetting(source, "reserveMb"),
    },
  };
}

/** An agent alone, or a list of agents, is a valid configuration. */
function contentOf({ name, content }: ConfigFile): Readonly<Record<string, unknown>> {
  if (Array.isArray(content)) return { agents: content };
  if (!isObject(content)) throw badConfig(name, "must hold an object or export one as its default");
  if ("name" in content && "instructions" in content) return { agent: content };
  const unknown = Object.keys(content).find((key) => !FILE_KEYS.includes(key));
  if (unknown !== undefined)
    throw badConfig(
      name,
      `has an unknown setting ${JSON.stringify(unknown)}; known settings are ${FILE_KEYS.join(", ")}`,
    );
  return content;
}

function agentsOf(content: Readonly<Record<string, unknown>>, at: string): AgentDefinition[] {
  const listed: unknown = content.agents ?? (content.agent === undefined ? [] : [content.agent]);
  if (!Array.isArray(listed)) throw badConfig(at, "`agents` must be a list");
  const names = new Set<string>();
  return listed.map((agent: unknown) => {
    if (!isAgent(agent))
      throw badConfig(at, "an agent needs `name`, `instructions` and a `model` that streams; make it with defineAgent");
    if (names.has(agent.name))
      throw badConfig(at, `two agents are named ${JSON.stringify(agent.name)}; give each its own name`);
    names.add(agent.name);
    return agent;
  });
}

function isAgent(value: unknown): value is AgentDefinition {
  if (!isObject(value) || typeof value.name !== "string" || value.name === "") return false;
  return typeof value.instructions === "string" && isObject(value.model) && typeof value.model.stream === "function";
}

function storeOf(database: string | null, blobs: string | null, cwd: string): Pick<Settings, "database" | "blobs"> {
  if (database !== null && !/^postgres(ql)?:\/\/./.test(database))
    throw badSetting("CAIRN_DATABASE_URL", "must begin with postgres://");
  if (blobs === null) return { database, blobs };
  if (database === null) throw badSetting("CAIRN_BLOBS_URL", "needs CAIRN_DATABASE_URL; set both or neither");
  return { database, blobs: blobs.startsWith("s3:") ? blobs : absolute(cwd, blobs) };
}

function standingOrdersOf(value: string | null, at: string): Settings["standingOrders"] {
  if (value === null || value === "conversation" || value === "user") return value ?? "conversation";
  throw badConfig(at, `standingOrders must be "conversation" or "user", not ${JSON.stringify(value)}`);
}

function auditOf(audit: string | null, cwd: string): string | null {
  return audit === null || audit === "stdout" ? audit : absolute(cwd, audit);
}

const CORPUS = "corpus:";

/** A folder is relative to the working directory. */
function searchOf(search: string | null, cwd: string): string | null {
  if (search?.toLowerCase().startsWith(CORPUS) !== true) return search;
  const folder = search.slice(CORPUS.length).trim();
  return folder === "" ? search : `${CORPUS}${absolute(cwd, folder)}`;
}

function mcpOf(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (!isObject(value)) throw badConfig(at, "`mcp` must be an object that maps a name to a server");
  return value;
}

function policiesOf(value: unknown, at: string): ToolPolicies {
  if (value === undefined) return {};
  if (!isObject(value)) throw badConfig(at, "`policies` must be an object that maps a tool to a policy");
  return Object.fromEntries(
    Object.entries(value).map(([tool, given]) => {
      const policy = TOOL_POLICIES.find((each) => each === given);
      if (policy === undefined)
        throw badConfig(at, `the policy of ${JSON.stringify(tool)} must be one of ${TOOL_POLICIES.join(", ")}`);
      return [tool, policy];
    }),
  );
}

function requestOf(value: unknown, at: string): RequestSettings {
  try {
    return readRequestSettings(value);
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    throw badConfig(at, `\`request\` is wrong: ${error.message}`);
  }
}

function budgetsOf(value: unknown, at: string): Budgets {
  if (value === undefined) return {};
  if (!isObject(value)) throw badConfig(at, "`budgets` must be an object");
  const { user, ...turn } = value;
  checkLimits("budgets", turn, TURN_BUDGETS, at, ["user"]);
  if (user === undefined) return turn;
  if (!isObject(user)) throw badConfig(at, "`budgets.user` must be an object");
  checkLimits("budgets.user", user, USER_BUDGETS, at);
  const { windowMs, ...limits } = user;
  if (typeof windowMs !== "number")
    throw badConfig(at, "`budgets.user` needs `windowMs`, the length of its time window");
  return { ...turn, user: { ...limits, windowMs } };
}

function checkLimits(
  name: string,
  limits: Readonly<Record<string, unknown>>,
  known: readonly string[],
  at: string,
  others: readonly string[] = [],
): void {
  for (const [key, limit] of Object.entries(limits)) {
    if (!known.includes(key))
      throw badConfig(
        at,
        `\`${name}\` has an unknown key ${JSON.stringify(key)}; known keys are ${[...known, ...others].join(", ")}`,
      );
    if (typeof limit !== "number" || !(limit > 0) || !Number.isFinite(limit))
      throw badConfig(at, `\`${name}.${key}\` must be a number above 0`);
  }
}

/** The sources of a setting. */
interface Source {
  readonly env: Environment;
  readonly content: Readonly<Record<string, unknown>>;
  /** The file's name. */
  readonly at: string;
}

function textSetting(source: Source, key: SettingKey): string | null {
  return fromEnvironment(source, key) ?? textOf(source.content, key, source.at);
}

/** A whole number within the bounds of the table. */
function countSetting(source: Source, key: CountSetting["key"]): number {
  const { least, most, byDefault, variable } = countOf(key);
  const given = fromEnvironment(source, key);
  const isGood = (value: unknown) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
  if (given !== null) {
    const value = /^\d{1,12}$/.test(given) ? Number(given) : Number.NaN;
    if (!isGood(value)) throw badSetting(variable, `must be a whole number from ${least} to ${most}`);
    return value;
  }
  const value = Object.hasOwn(source.content, key) ? source.content[key] : undefined;
  if (value === undefined) return byDefault;
  if (!isGood(value)) throw badConfig(source.at, `\`${key}\` must be a whole number from ${least} to ${most}`);
  return Number(value);
}

function countOf(key: CountSetting["key"]): CountSetting {
  const found = SETTINGS.find((setting): setting is CountSetting => setting.key === key && setting.kind === "count");
  if (found === undefined) throw badSetting(key, "is not in the table of settings");
  return found;
}

/** In the environment a list is separated by commas. */
function listSetting(source: Source, key: SettingKey): readonly string[] {
  const given = fromEnvironment(source, key);
  const value: unknown = given?.split(",").map((item) => item.trim()) ?? source.content[key] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string" && item.trim() !== ""))
    throw badConfig(source.at, `\`${key}\` must be a list of strings`);
  return value;
}

function checkOrigin(origin: string, at: string): string {
  if (URL.canParse(origin) && new URL(origin).origin === origin) return origin;
  throw badConfig(
    at === "" ? "CAIRN_ORIGINS" : at,
    `${JSON.stringify(origin)} is not an origin, such as https://example.com`,
  );
}

function textOf(content: Readonly<Record<string, unknown>>, key: string, at: string): string | null {
  const value = Object.hasOwn(content, key) ? content[key] : undefined;
  if (value === undefined) return null;
  if (typeof value !== "string" || value.trim() === "" || value.includes("\0"))
    throw badConfig(at, `\`${key}\` must be a string that is not empty`);
  return value;
}

function fromEnvironment({ env }: Source, key: SettingKey): string | null {
  const variable = SETTINGS.find((setting) => setting.key === key)?.variable ?? null;
  return variable === null ? null : setting(env, variable);
}

/** An empty variable counts as absent. */
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

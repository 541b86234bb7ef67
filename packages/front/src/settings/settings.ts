/**
 * All settings, read and checked. A table declares each setting once: its key, variable, default, meaning and how it is
 * read. `docs/configuration.md` is generated from the same tables.
 */
import type { AgentDefinition } from "@cairn/agent";
import { AGENT } from "./agent-settings.ts";
import { checkStore, DATA } from "./data-settings.ts";
import { agentsOf, DEFINED_AGENTS } from "./defined-agents.ts";
import { OIDC, type OidcSettings, readOidc } from "./oidc-settings.ts";
import { LIMITS, SERVER } from "./server-settings.ts";
import { badConfig, isObject, readTable, type Setting, type Source, type ValuesOf } from "./setting.ts";
import { TOOLS } from "./tool-settings.ts";

export interface Settings extends ValuesOf<typeof DATA>, ValuesOf<typeof AGENT> {
  /** The agents that the file defines; the first is the default. Empty for the built-in agent. */
  readonly agents: readonly AgentDefinition[];
  readonly tools: ValuesOf<typeof TOOLS>;
  readonly server: ServerSettings;
}

export interface ServerSettings extends ValuesOf<typeof SERVER>, ValuesOf<typeof LIMITS> {
  /** The OpenID Connect issuer; null for none. */
  readonly oidc: OidcSettings | null;
}

/** Every setting by its key, in the order of the reference. */
export const SETTINGS: Readonly<Record<string, Setting<unknown>>> = {
  ...DATA,
  ...AGENT,
  ...TOOLS,
  ...DEFINED_AGENTS,
  ...SERVER,
  ...OIDC,
  ...LIMITS,
};

export interface ConfigFile {
  /** Name of the configuration file, for error messages. */
  readonly name: string;
  readonly content: unknown;
}

export function readSettings(file: ConfigFile | null, env: Source["env"], cwd: string): Settings {
  const source = { env, content: file === null ? {} : contentOf(file), file: file?.name ?? "", cwd };
  const data = readTable(DATA, source);
  checkStore(data);
  return {
    ...data,
    ...readTable(AGENT, source),
    agents: agentsOf(readTable(DEFINED_AGENTS, source), source),
    tools: readTable(TOOLS, source),
    server: {
      ...readTable(SERVER, source),
      ...readTable(LIMITS, source),
      oidc: readOidc(readTable(OIDC, source)),
    },
  };
}

/** An agent alone, or a list of agents, is a valid configuration. */
function contentOf({ name: file, content }: ConfigFile): Readonly<Record<string, unknown>> {
  if (Array.isArray(content)) return { agents: content };
  if (!isObject(content)) throw badConfig({ file }, "must hold an object or export one as its default");
  if ("name" in content && "instructions" in content) return { agent: content };
  const unknown = Object.keys(content).find((key) => !Object.hasOwn(SETTINGS, key));
  if (unknown === undefined) return content;
  const known = Object.keys(SETTINGS).join(", ");
  throw badConfig({ file }, `has an unknown setting ${JSON.stringify(unknown)}; known settings are ${known}`);
}

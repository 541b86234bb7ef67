/**
 * The tools of configured MCP servers, for an agent.
 *
 * The tools of a server are fixed when it is connected, in the order of the configuration, by name within a server. A
 * server that changes its list later changes nothing for running conversations, whose cached prefix begins with the
 * tools. A server that cannot be reached is reported and does not affect the others.
 */
import { createHash } from "node:crypto";
import type { AnyTool } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { Tool as McpTool } from "@modelcontextprotocol/client";
import { type McpConfig, type McpServerConfig, parseMcpConfig } from "./mcp-config.ts";
import { McpConnection } from "./mcp-connection.ts";
import { mcpTool } from "./mcp-tool.ts";

export interface McpTools {
  /** In the order of the configuration, by name within a server. */
  readonly tools: readonly AnyTool[];
  /** Problems, one sentence each: servers that cannot be reached, allowed tools that do not exist. */
  readonly problems: readonly string[];
  status(): readonly McpStatus[];
  /** Closes every connection and ends every started process. */
  close(): Promise<void>;
}

export interface McpStatus {
  readonly server: string;
  readonly connected: boolean;
  /** Ids of the tools that agents received. */
  readonly tools: readonly string[];
  /** The server's tools have changed; reconnecting would show them. */
  readonly outdated: boolean;
}

const MAX_ID_LENGTH = 128;
const HASH_DIGITS = 8;

/** Throws `bad_mcp_config` for an invalid configuration. */
export async function connectMcp(
  config: McpConfig,
  { signal = new AbortController().signal }: { readonly signal?: AbortSignal } = {},
): Promise<McpTools> {
  const servers = [...parseMcpConfig(config)].map(([name, server]) => new McpConnection(name, server));
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    const offers = await Promise.all(servers.map((server) => offerOf(server, signal)));
    return {
      tools: offers.flatMap(({ tools }) => tools),
      problems: offers.flatMap(({ problems }) => problems),
      status: () =>
        servers.map((server, nth) => ({
          server: server.name,
          connected: server.isConnected,
          tools: offers[nth]?.tools.map(({ id }) => id) ?? [],
          outdated: server.listChanged,
        })),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Offer {
  readonly tools: readonly AnyTool[];
  readonly problems: readonly string[];
}

async function offerOf(connection: McpConnection, signal: AbortSignal): Promise<Offer> {
  const { name: server, config } = connection;
  try {
    const listed = await connection.listTools(signal);
    const { tools: named, problems } = namedOnce(server, listed);
    const allowed = named.filter(({ name }) => isAllowed(config, name)).sort((a, b) => (a.name < b.name ? -1 : 1));
    const offered = new Set(named.map(({ name }) => name));
    const missing = config.allow === "all" ? [] : config.allow.filter((name) => !offered.has(name));
    const ids = new Set<string>();
    const tools = allowed.map((tool) => mcpTool(takeId(server, tool.name, ids), tool, connection));
    return {
      tools,
      problems: [...problems, ...missing.map((name) => `The MCP server ${server} has no tool ${name}.`)],
    };
  } catch (error) {
    signal.throwIfAborted();
    if (!CairnError.is(error)) throw error;
    return { tools: [], problems: [error.message] };
  }
}

/** Drops tools without a name, and tools with the name of another: they could not be called. */
function namedOnce(
  server: string,
  listed: readonly McpTool[],
): { readonly tools: readonly McpTool[]; readonly problems: readonly string[] } {
  const tools = new Map<string, McpTool>();
  const twice = new Set<string>();
  for (const tool of listed) {
    if (tools.has(tool.name)) twice.add(tool.name);
    else if (tool.name !== "") tools.set(tool.name, tool);
  }
  const problems = [...twice].map(
    (name) => `The MCP server ${server} lists ${name.slice(0, MAX_ID_LENGTH)} more than once; the first is used.`,
  );
  if (listed.some(({ name }) => name === ""))
    problems.push(`The MCP server ${server} lists a tool without a name. The tool is ignored.`);
  return { tools: [...tools.values()], problems };
}

function isAllowed({ allow }: McpServerConfig, name: string): boolean {
  return allow === "all" || allow.includes(name);
}

/** An id in the registry's form. A name that would be too long, or equal to another, ends in its own hash. */
function takeId(server: string, name: string, taken: Set<string>): string {
  const segment = name
    .replace(/[^A-Za-z0-9_.-]/g, "_")
    .replace(/\.+/g, ".")
    .replace(/^\.|\.$/g, "_");
  const id = `mcp.${server}.${segment}`;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_DIGITS);
  const isFree = id.length <= MAX_ID_LENGTH && !taken.has(id);
  const chosen = isFree ? id : `${id.slice(0, MAX_ID_LENGTH - HASH_DIGITS - 1).replace(/\.$/, "_")}-${hash}`;
  taken.add(chosen);
  return chosen;
}

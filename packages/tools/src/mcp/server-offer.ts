/** The tools that a server offers an agent, by name, each with an id, and the problems of the list. */
import { createHash } from "node:crypto";
import type { AnyTool } from "@cairn/agent";
import type { Tool as McpTool } from "@modelcontextprotocol/client";
import type { McpServerConfig } from "./mcp-config.ts";
import type { McpConnection } from "./mcp-connection.ts";
import { mcpTool } from "./mcp-tool.ts";

export interface Offer {
  readonly tools: readonly AnyTool[];
  /** Problems with the server's tools, one sentence each. */
  readonly problems: readonly string[];
  /** Whether the server listed nothing because the user must log in. */
  readonly needsLogin?: boolean;
  /** Whether the server could not be reached, or did not list its tools. */
  readonly isAway?: boolean;
}

const MAX_ID_LENGTH = 128;
const HASH_DIGITS = 8;

export async function listOffer(connection: McpConnection, signal: AbortSignal): Promise<Offer> {
  const { name: server, config } = connection;
  const listed = await connection.listTools(signal);
  const { tools: named, problems } = namedOnce(server, listed);
  const allowed = named.filter(({ name }) => isAllowed(config, name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const offered = new Set(named.map(({ name }) => name));
  const missing = config.allow === "all" ? [] : config.allow.filter((name) => !offered.has(name));
  const ids = new Set<string>();
  const tools = allowed.map((tool) => mcpTool(takeId(server, tool.name, ids), tool, connection));
  return { tools, problems: [...problems, ...missing.map((name) => `The MCP server ${server} has no tool ${name}.`)] };
}

/** Drops tools without a name, and tools with the name of another tool: neither could be called. */
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

/**
 * An id that the agent's registry of tools accepts. A name that would be too long, or equal to another, ends in its own
 * hash.
 */
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

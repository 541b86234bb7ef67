/** The MCP servers of the built-in agent, from the configuration and from a `.mcp.json`. */
import { readFile } from "node:fs/promises";
import { CairnError } from "@cairn/timeline";
import type { McpServerConfig } from "@cairn/tools/mcp";
import type { Settings } from "../settings/settings.ts";

/** The servers by name. The configuration overrides the file. Throws `bad_mcp_config`. */
export async function mcpServers(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, McpServerConfig>> {
  const { mcp, mcpFile } = settings.tools;
  if (mcpFile === null && Object.keys(mcp).length === 0) return new Map();
  const { parseMcpConfig } = await import("@cairn/tools/mcp");
  return parseMcpConfig(await readServers(settings, env));
}

/** The configured address or command line of each server, without the values of variables, which may be secrets. */
export async function mcpPlaces(settings: Settings): Promise<ReadonlyMap<string, string>> {
  const servers = Object.entries(await readServers(settings, null));
  return new Map(servers.map(([name, server]) => [name, placeOf(server as WrittenServer)]));
}

interface WrittenServer {
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
}

function placeOf({ url, command = "", args = [] }: WrittenServer): string {
  return url ?? [command, ...args].join(" ");
}

async function readServers({ tools: { mcp, mcpFile } }: Settings, env: Parameters<typeof mcpServers>[1] | null) {
  const { readMcpJson } = await import("@cairn/tools/mcp");
  const listed = mcpFile === null ? {} : readMcpJson(await readText(mcpFile), env, mcpFile);
  return { ...listed, ...mcp };
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new CairnError("bad_mcp_config", `${file} cannot be read. Correct CAIRN_MCP_FILE, or unset it.`);
  }
}

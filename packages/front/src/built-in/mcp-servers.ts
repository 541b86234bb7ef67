/** The MCP servers of the built-in agent: those of the configuration, and those of a `.mcp.json`. */
import { readFile } from "node:fs/promises";
import { CairnError } from "@cairn/timeline";
import type { McpServerConfig } from "@cairn/tools/mcp";
import type { Settings } from "../settings/settings.ts";

/** By name. The configuration overrides the file. Throws `bad_mcp_config`. */
export async function mcpServers(
  { tools: { mcp, mcpFile } }: Settings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlyMap<string, McpServerConfig>> {
  if (mcpFile === null && Object.keys(mcp).length === 0) return new Map();
  const { parseMcpConfig, readMcpJson } = await import("@cairn/tools/mcp");
  const listed = mcpFile === null ? {} : readMcpJson(await readText(mcpFile), env, mcpFile);
  return parseMcpConfig({ ...listed, ...mcp });
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new CairnError("bad_mcp_config", `${file} cannot be read. Correct CAIRN_MCP_FILE, or unset it.`);
  }
}

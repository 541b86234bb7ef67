/** Tests servers that violate the protocol: only their own tools or calls fail. */
import { defineAgent, offlineModel } from "@cairn/agent";
import { expect, it, onTestFinished } from "vitest";
import { connectMcp, type McpTools } from "./connect-mcp.ts";
import { parseMcpConfig } from "./mcp-config.ts";
import { McpConnection } from "./mcp-connection.ts";

const SCRIPT = new URL("../../test/test-server.ts", import.meta.url).pathname;
const server = (behaviour: string) => ({
  command: process.execPath,
  args: ["--no-warnings", SCRIPT, behaviour],
  allow: "all" as const,
  connect_timeout_ms: 90_000,
});

it("tools with the same name, or without one, are left out and reported; the agent has the others", async () => {
  const mcp: McpTools = await connectMcp({ zoo: server("careless"), good: server("odd") });
  onTestFinished(() => mcp.close());
  expect(mcp.tools.slice(0, 2).map(({ id, description }) => [id, description])).toEqual([
    ["mcp.zoo.a", "the first"],
    ["mcp.zoo.endless", "never ends"],
  ]);
  expect(mcp.tools[0]?.traits?.label).toMatchObject({ done: "A b", doing: "A b" });
  expect(mcp.problems).toEqual([
    "The MCP server zoo lists a more than once; the first is used.",
    "The MCP server zoo lists a tool without a name. The tool is ignored.",
  ]);
  const agent = defineAgent({ name: "clerk", instructions: "Help.", model: offlineModel(), tools: mcp.tools });
  expect(agent.tools).toHaveLength(mcp.tools.length);
}, 120_000);

it("an endless line ends the call, with the reason and without a retry; the next call works", async () => {
  const config = parseMcpConfig({ zoo: server("careless") }).get("zoo");
  if (config === undefined) throw new Error("The configuration was lost.");
  const connection = new McpConnection("zoo", config);
  onTestFinished(() => connection.close());
  const { signal } = new AbortController();
  const call = (name: string) =>
    connection.call({ name, params: {}, repeatable: true, signal, onProgress: () => undefined });
  await expect(call("endless")).rejects.toMatchObject({
    code: "mcp_too_large",
    message: "The MCP server zoo sent a message larger than 10485760 bytes.",
  });
  expect(await call("a")).toMatchObject({ content: [{ text: "a" }] });
}, 120_000);

it("a server that only writes noise is not connected, and the reason is reported", async () => {
  const mcp = await connectMcp({ zoo: server("pours") });
  onTestFinished(() => mcp.close());
  expect(mcp.problems).toEqual(["The MCP server zoo cannot be reached: sent a message larger than 10485760 bytes."]);
}, 120_000);

it("a server whose list of tools has no end offers none, and the reason is reported", async () => {
  const mcp = await connectMcp({ zoo: server("pages") });
  onTestFinished(() => mcp.close());
  expect(mcp.tools).toEqual([]);
  expect(mcp.problems).toEqual([expect.stringMatching(/^The MCP server zoo did not list its tools: .*pagination/)]);
}, 120_000);

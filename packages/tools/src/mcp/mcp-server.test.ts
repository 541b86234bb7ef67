/** What users see of a server. */
import { expect, it } from "vitest";
import { parseMcpConfig } from "./mcp-config.ts";
import { McpServer } from "./mcp-server.ts";

it("users do not see why a server cannot be reached, because its configured headers may be part of that", async () => {
  const headers = { "x-key": "s3cret\nof the operator" };
  const [[name, config] = []] = parseMcpConfig({ shop: { url: "http://127.0.0.1:9/mcp", headers, allow: "all" } });
  if (name === undefined || config === undefined) throw new Error("There is no server.");
  const server = new McpServer(name, config, null);
  const owner = { tenant: "acme", project: "site", user: "ada" };
  const { signal } = new AbortController();
  expect((await server.offer(owner, signal)).problems.join()).toContain("s3cret");
  expect(await server.stateFor(owner, signal)).toMatchObject({
    tools: 0,
    problems: ["The MCP server shop cannot be reached now."],
  });
  await server.close();
});

/** Servers of every age: each is reached in the newest way that it knows. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { expect, it, onTestFinished } from "vitest";
import { makeTestServer } from "../../test/test-server.ts";
import { type McpConfig, parseMcpConfig } from "./mcp-config.ts";
import { McpConnection } from "./mcp-connection.ts";

const SCRIPT = new URL("../../test/eras-server.ts", import.meta.url).pathname;
const child = (era: string) => ({
  command: process.execPath,
  args: ["--no-warnings", SCRIPT, era],
  allow: "all" as const,
});

async function callOnce(config: McpConfig[string], name: string): Promise<unknown> {
  const parsed = parseMcpConfig({ zoo: config }).get("zoo");
  if (parsed === undefined) throw new Error("The configuration was lost.");
  const connection = new McpConnection("zoo", parsed);
  onTestFinished(() => connection.close());
  const { signal } = new AbortController();
  expect((await connection.listTools(signal)).map((tool) => tool.name)).toContain(name);
  const call = { name, params: {}, repeatable: false, signal, onProgress: () => undefined };
  return (await connection.call(call)).content;
}

it("a process that knows only the revision of 2026-07-28 is used", async () => {
  expect(await callOnce(child("modern"), "hello")).toEqual([{ type: "text", text: "hello" }]);
});

it("a process that ends when it is asked for its revision is started again and used with the old handshake", async () => {
  expect(await callOnce(child("strict"), "hello")).toEqual([{ type: "text", text: "hello" }]);
});

it("a server that knows only the event stream from before streamable HTTP is used, with the configured headers", async () => {
  const streams = new Map<string, SSEServerTransport>();
  const refused: string[] = [];
  const server = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (request.headers.authorization !== "Bearer secret") {
      refused.push(pathname);
      answer.writeHead(401).end();
    } else if (request.method === "GET" && pathname === "/sse") {
      const stream = new SSEServerTransport("/messages", answer);
      streams.set(stream.sessionId, stream);
      makeTestServer()
        .connect(stream)
        .catch((error: Error) => answer.destroy(error));
    } else if (request.method === "POST" && pathname === "/messages") {
      const stream = streams.get(searchParams.get("sessionId") ?? "");
      stream?.handlePostMessage(request, answer).catch((error: Error) => answer.destroy(error));
    } else answer.writeHead(405).end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  const config = { url, headers: { authorization: "Bearer secret" }, allow: "all" as const };
  expect(await callOnce(config, "nothing")).toEqual([]);
  expect(refused).toEqual([]);
});

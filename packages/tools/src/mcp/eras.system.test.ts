/** Tests servers of every protocol revision: each is reached in the newest way that it supports. */
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { Asking } from "@cairn/agent";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeTestServer } from "../../test/test-server.ts";
import { type McpConfig, parseMcpConfig } from "./mcp-config.ts";
import { McpConnection } from "./mcp-connection.ts";

const SCRIPT = new URL("../../test/eras-server.ts", import.meta.url).pathname;
const child = (era: string) => ({
  command: process.execPath,
  args: ["--no-warnings", SCRIPT, era],
  allow: "all" as const,
});

const { signal } = new AbortController();
const callTo = (name: string) => ({ name, params: {}, repeatable: false, signal, onProgress: () => undefined });

function connect(config: McpConfig[string]): McpConnection {
  const parsed = parseMcpConfig({ zoo: config }).get("zoo");
  if (parsed === undefined) throw new Error("The configuration was lost.");
  const connection = new McpConnection("zoo", parsed);
  onTestFinished(() => connection.close());
  return connection;
}

async function callOnce(config: McpConfig[string], name: string): Promise<unknown> {
  const connection = connect(config);
  expect((await connection.listTools(signal)).map((tool) => tool.name)).toContain(name);
  const made = await connection.call(callTo(name));
  return made instanceof Asking ? made : made.content;
}

/** Makes a call that asks, and answers with the size. Returns the texts of the questions and the result. */
async function answerAll(first: McpConnection, second: McpConnection): Promise<unknown> {
  const asked: string[] = [];
  let made = await first.call(callTo("order"));
  while (made instanceof Asking) {
    asked.push(made.question.message);
    const state = JSON.parse(JSON.stringify(made.state));
    const answered = { action: "accept" as const, content: { size: "M" }, state };
    made = await second.call({ ...callTo("order"), answered });
  }
  return { asked, content: made.content };
}

it("a question of a server of 2026-07-28 is answered by another process, which makes the call again", async () => {
  expect(await answerAll(connect(child("modern")), connect(child("modern")))).toEqual({
    asked: ["Which size?", "Which colour?", "Sure about M and M?"],
    content: [{ type: "text", text: '{"action":"accept","content":{"size":"M"}}' }],
  });
});

it("a question of an older server is answered while its call runs", async () => {
  const connection = connect({ ...child("strict"), timeout_ms: 30_000 });
  expect(await answerAll(connection, connection)).toEqual({
    asked: ["Which size?"],
    content: [{ type: "text", text: '{"action":"accept","content":{"size":"M"}}' }],
  });
});

it("a question of an older server is lost with its connection, and the call fails", async () => {
  await expect(answerAll(connect(child("strict")), connect(child("strict")))).rejects.toMatchObject({
    code: "mcp_question_lost",
  });
});

it("a call of an older server is cancelled when its question is withdrawn", async () => {
  const connection = connect(child("strict"));
  const asking = await connection.call(callTo("order"));
  if (!(asking instanceof Asking)) throw new Error("It did not ask.");
  expect(connection.idleMs).toBe(0);
  connection.withdraw(asking.state);
  await expect.poll(() => connection.idleMs).toBeGreaterThan(0);
});

it("a question of an older server is closed after a call ended without its result, until the connection is replaced", async () => {
  const connection = connect(child("strict"));
  const asking = await connection.call(callTo("order"));
  if (!(asking instanceof Asking)) throw new Error("It did not ask.");
  connection.withdraw(asking.state);
  await expect.poll(() => connection.idleMs).toBeGreaterThan(0);
  expect(await connection.call(callTo("order"))).toMatchObject({
    content: [{ type: "text", text: '{"action":"cancel"}' }],
  });
  expect(await connection.call(callTo("order"))).toBeInstanceOf(Asking);
});

it("a question of an older server is closed while several calls run, because it does not say to which it belongs", async () => {
  const connection = connect(child("strict"));
  const made = await Promise.all([connection.call(callTo("order")), connection.call(callTo("order"))]);
  expect(made.map((each) => (each instanceof Asking ? each : each.content))).toEqual(
    made.map(() => [{ type: "text", text: '{"action":"cancel"}' }]),
  );
});

describe("a call that the server runs as a task", () => {
  it("asks its question, tells its status and returns its outcome in 2026-07-28", async () => {
    const connection = connect(child("tasks"));
    const told: string[] = [];
    const call = { ...callTo("bake"), onProgress: (status: string) => told.push(status) };
    const asking = await connection.call(call);
    if (!(asking instanceof Asking)) throw new Error("It did not ask.");
    expect(asking.question.message).toBe("Which size?");
    const state = JSON.parse(JSON.stringify(asking.state));
    const made = await connection.call({ ...call, answered: { action: "accept", content: { size: "M" }, state } });
    expect(made).toMatchObject({ content: [{ text: '{"size":{"action":"accept","content":{"size":"M"}}}' }] });
    expect(told.slice(0, 3)).toEqual(["input_required 1", "working 2", "working 3"]);
  });

  it("is cancelled at the server when the call is cancelled", async () => {
    const connection = connect(child("tasks"));
    const asking = await connection.call(callTo("bake"));
    if (!(asking instanceof Asking)) throw new Error("It did not ask.");
    const stop = new AbortController();
    const answered = { action: "decline" as const, content: {}, state: asking.state };
    const onProgress = () => stop.abort(new Error("stopped"));
    await expect(connection.call({ ...callTo("bake"), answered, signal: stop.signal, onProgress })).rejects.toThrow(
      "stopped",
    );
    await expect(connection.call(callTo("bake"))).rejects.toThrow("The task of the MCP server was cancelled");
  });

  it("is cancelled at the server when its question is withdrawn", async () => {
    const connection = connect(child("tasks"));
    const asking = await connection.call(callTo("bake"));
    if (!(asking instanceof Asking)) throw new Error("It did not ask.");
    connection.withdraw(JSON.parse(JSON.stringify(asking.state)));
    await expect(connection.call(callTo("bake"))).rejects.toThrow("The task of the MCP server was cancelled");
  });

  it("asks and returns its outcome while the call runs in 2025-11-25", async () => {
    const folder = dirname(
      createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json"),
    );
    const args = [join(folder, "dist", "index.js"), "stdio"];
    const connection = connect({ command: process.execPath, args, allow: "all" });
    await connection.listTools(signal);
    const told: string[] = [];
    const call = {
      ...callTo("simulate-research-query"),
      params: { topic: "python", ambiguous: true },
      onProgress: (status: string) => told.push(status),
    };
    const asking = await connection.call(call);
    if (!(asking instanceof Asking)) throw new Error("It did not ask.");
    const answered = { action: "accept" as const, content: { interpretation: "snake" }, state: asking.state };
    const made = await connection.call({ ...call, answered });
    expect(JSON.stringify(made)).toContain("Research Report: python (snake)");
    expect(told.some((status) => status.endsWith("..."))).toBe(true);
  });
});

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

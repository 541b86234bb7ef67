/** Connections to real MCP servers: whose they are, and what happens when one breaks or is closed. */
import { CairnError } from "@cairn/timeline";
import { afterEach, describe, expect, it, vi } from "vitest";
import { child, HttpMcp, httpConfig } from "../../test/http-mcp.ts";
import { secretsInMemory } from "../../test/secrets-in-memory.ts";
import { connectMcp } from "./connect-mcp.ts";
import { type McpConfig, parseMcpConfig } from "./mcp-config.ts";
import { McpConnection } from "./mcp-connection.ts";

const signal = new AbortController().signal;

const disposals: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

async function openHttp(): Promise<HttpMcp> {
  const http = await new HttpMcp().listen();
  disposals.push(() => http.close());
  return http;
}
describe("the connection of a user", () => {
  const userOf = (user: string) => ({ tenant: "acme", project: "site", user });
  const open = async (unreadable?: Error) => {
    const http = await openHttp();
    const login = { url: http.url, tokens: { access_token: "secret", token_type: "Bearer" } };
    const secrets = secretsInMemory(new Map([["mcp:zoo", JSON.stringify(login)]]), unreadable);
    const config = { zoo: { url: http.url, allow: "all" as const, approval: "never" as const, timeout_ms: 300_000 } };
    const mcp = await connectMcp(config, { secrets, owner: userOf("ada") });
    disposals.push(() => mcp.close());
    return mcp;
  };

  it("is not closed as idle while it has a call", async () => {
    const clock = vi.spyOn(Date, "now");
    disposals.push(async () => clock.mockRestore());
    const mcp = await open();
    const busy = (await mcp.findTools(userOf("ada"), signal)).find(({ id }) => id === "mcp.zoo.busy");
    const { promise: runs, resolve: progress } = Promise.withResolvers<string>();
    const called = busy?.run({}, { signal, progress } as never);
    await runs;
    clock.mockReturnValue(Date.now() + 20 * 60_000);
    await mcp.findTools(userOf("bob"), signal);
    await expect(called).resolves.toBeDefined();
  });

  it("is missing, with a problem, when the login was encrypted with another key", async () => {
    const mcp = await open(new CairnError("secret_unreadable", "Another key."));
    expect(mcp.problems).toEqual(["The login at the MCP server zoo cannot be read. Another key."]);
    expect(await mcp.findTools(userOf("ada"), signal)).toEqual([]);
  });
});

describe("a connection that breaks", () => {
  const callOfTool = (name: string, repeatable = false) => ({
    name,
    params: {},
    repeatable,
    signal,
    onProgress: () => undefined,
  });
  const textOf = (made: object) => (made as { content: { text: string }[] }).content[0]?.text;

  it("is reopened by the next call; the interrupted call is not repeated", async () => {
    const connection = new McpConnection("zoo", parse({ ...child(), allow: "all" }));
    disposals.push(() => connection.close());
    expect(textOf(await connection.call(callOfTool("count")))).toBe("1");
    await expect(connection.call(callOfTool("dies"))).rejects.toMatchObject({ code: "mcp_connection_lost" });
    // A new process counts from the beginning.
    expect(textOf(await connection.call(callOfTool("count")))).toBe("1");
    expect(textOf(await connection.call(callOfTool("count")))).toBe("2");
  });

  it("a server that forgot the session is called again in a new one", async () => {
    const http = await openHttp();
    const connection = new McpConnection("zoo", parse(httpConfig(http)));
    disposals.push(() => connection.close());
    await connection.call(callOfTool("count"));
    http.forgetSessions();
    expect(textOf(await connection.call(callOfTool("count")))).toMatch(/^\d+$/);
  });

  it("a call that the server rejects shows the server's message", async () => {
    const http = await openHttp();
    const connection = new McpConnection("shop", parse(httpConfig(http)));
    disposals.push(() => connection.close());
    await connection.call(callOfTool("count"));
    http.refuseCalls = "Bad Request: no such thing";
    await expect(connection.call(callOfTool("count"))).rejects.toMatchObject({
      code: "mcp_error",
      message: expect.stringContaining("no such thing"),
    });
  });

  it("a server that is down is not retried at once, but after a wait", async () => {
    const http = await openHttp();
    let now = 0;
    const connection = new McpConnection("zoo", parse(httpConfig(http)), { now: () => now });
    disposals.push(() => connection.close());
    await connection.call(callOfTool("count"));
    const { port } = http;
    await connection.rest();
    await http.close();
    const attempt = () => connection.call(callOfTool("count", true)).then(textOf, (error: Error) => error.message);
    expect(await attempt()).toMatch(/cannot be reached/);
    expect(await attempt()).toBe("The MCP server zoo cannot be reached. The next attempt is made in 1 s.");
    now += 1_000;
    expect(await attempt()).toMatch(/ECONNREFUSED/);
    expect(await attempt()).toMatch(/in 2 s/);
    const back = await new HttpMcp().listen(port);
    disposals.push(() => back.close());
    expect(await attempt()).toMatch(/in 2 s/);
    now += 2_000;
    expect(await attempt()).toMatch(/^\d+$/);
  });

  it("a call ends when it is cancelled, with the reason", async () => {
    const connection = new McpConnection("zoo", parse({ ...child(), allow: "all" }));
    disposals.push(() => connection.close());
    await connection.call(callOfTool("count"));
    const stop = new AbortController();
    const reason = new Error("stopped");
    const waiting = connection.call({ ...callOfTool("slow"), params: { ms: 60_000 }, signal: stop.signal });
    setTimeout(() => stop.abort(reason), 50);
    await expect(waiting).rejects.toBe(reason);
  });

  it("a broken connection that is still being opened blocks neither a cancelled caller nor close", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    const silent = { ...child("silent"), allow: "all" as const, connect_timeout_ms: 600_000 };
    setTimeout(() => stop.abort(reason), 200);
    await expect(connectMcp({ silent }, { signal: stop.signal })).rejects.toBe(reason);
  });

  it("a server that answers with noise is disconnected", async () => {
    const mcp = await connectMcp({ noisy: { ...child("garbage"), allow: "all", connect_timeout_ms: 1_500 } });
    disposals.push(() => mcp.close());
    expect(mcp.problems).toEqual([expect.stringMatching(/noisy cannot be reached/)]);
  });
});

it("nothing keeps running after close", async () => {
  const mcp = await connectMcp({
    zoo: { ...child(), allow: ["env"] },
    lost: { ...child("silent"), allow: "all", connect_timeout_ms: 500 },
  });
  await mcp.close();
  const children = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap");
  await expect.poll(children).toEqual([]);
});

function parse(server: McpConfig[string]) {
  const parsed = parseMcpConfig({ zoo: server }).get("zoo");
  if (parsed === undefined) throw new Error("The configuration was lost.");
  return parsed;
}

import { McpServer } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { McpSessions } from "./mcp-sessions.ts";

const ada = { tenant: "t", project: "p", user: "ada" };
const bob = { ...ada, user: "bob" };
const makeServer = () => new McpServer({ name: "test", version: "1" });

function bench() {
  let now = 0;
  const sessions = new McpSessions({ perUser: 2, idleMs: 1_000 }, () => now);
  const send = (owner: typeof ada, body: object, id: string | null) => {
    const session = id === null ? {} : { "mcp-session-id": id };
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", ...session };
    const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers, body: JSON.stringify(body) });
    return sessions.serve(request, body, owner, makeServer);
  };
  return {
    wait: (ms: number) => {
      now += ms;
    },
    begin: async (owner: typeof ada) => {
      const clientInfo = { name: "c", version: "1" };
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
      const { headers } = await send(owner, { jsonrpc: "2.0", id: 1, method: "initialize", params }, null);
      return headers.get("mcp-session-id") ?? "";
    },
    ping: async (owner: typeof ada, id: string | null) =>
      (await send(owner, { jsonrpc: "2.0", id: 2, method: "ping" }, id)).status,
  };
}

it("a new session of a user replaces the one that was not used for the longest time, and none of another user", async () => {
  const { begin, ping } = bench();
  const first = await begin(ada);
  const second = await begin(ada);
  const other = await begin(bob);
  expect(await ping(ada, first)).toBe(200);
  const third = await begin(ada);
  expect(await ping(ada, second)).toBe(404);
  expect([await ping(ada, first), await ping(ada, third), await ping(bob, other)]).toEqual([200, 200, 200]);
  expect([await ping(bob, first), await ping(ada, null)]).toEqual([404, 400]);
});

it("a session that is not used for a while ends", async () => {
  const { begin, ping, wait } = bench();
  const idle = await begin(ada);
  wait(600);
  const used = await begin(ada);
  wait(600);
  expect([await ping(ada, idle), await ping(ada, used)]).toEqual([404, 200]);
});

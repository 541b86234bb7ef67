import { McpServer } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { z } from "zod";
import { McpSessions } from "./mcp-sessions.ts";

const ada = { tenant: "t", project: "p", user: "ada" };
const bob = { ...ada, user: "bob" };

/** The calls of the tool `wait` end when the test says so. */
function bench() {
  let now = 0;
  const call: { answer: () => void; signal: AbortSignal } = { answer: () => undefined, signal: AbortSignal.abort() };
  const makeServer = () => {
    const server = new McpServer({ name: "test", version: "1" });
    server.registerTool("wait", { inputSchema: z.object({}) }, async (_, { mcpReq: { signal } }) => {
      await new Promise<void>((done) => Object.assign(call, { answer: done, signal }));
      return { content: [] };
    });
    return server;
  };
  const sessions = new McpSessions({ perUser: 2, idleMs: 1_000 }, () => now);
  const send = (owner: typeof ada, body: object, id: string | null) => {
    const session = id === null ? {} : { "mcp-session-id": id };
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream", ...session };
    const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers, body: JSON.stringify(body) });
    return sessions.serve(request, body, owner, makeServer);
  };
  return {
    /** Begins a call and closes its stream. The call continues. */
    call: async (owner: typeof ada, id: string) => {
      const params = { name: "wait", arguments: {} };
      const response = await send(owner, { jsonrpc: "2.0", id: 3, method: "tools/call", params }, id);
      await expect.poll(() => call.signal.aborted).toBe(false);
      await response.body?.cancel();
      return call;
    },
    cancel: (owner: typeof ada, id: string) =>
      send(owner, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 3 } }, id),
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

it("a session with a call in progress is neither idle nor replaced, also after its client has left", async () => {
  const { begin, ping, wait, call } = bench();
  const busy = await begin(ada);
  const { answer, signal } = await call(ada, busy);
  wait(2_000);
  await begin(bob);
  const second = await begin(ada);
  const third = await begin(ada);
  expect(signal.aborted).toBe(false);
  expect([await ping(ada, second), await ping(ada, third)]).toEqual([404, 200]);
  wait(900);
  answer();
  // The idle time of the session begins when the call ends.
  expect(await ping(ada, third)).toBe(200);
  wait(900);
  expect(await ping(ada, busy)).toBe(200);
});

it("a user whose sessions all have calls in progress begins no more until one is cancelled", async () => {
  const { begin, call, cancel } = bench();
  const [first, second] = [await begin(ada), await begin(ada)];
  const { signal } = await call(ada, first);
  await call(ada, second);
  expect(await begin(ada)).toBe("");
  expect((await cancel(ada, first)).status).toBe(202);
  expect(await begin(ada)).not.toBe("");
  expect(signal.aborted).toBe(true);
});

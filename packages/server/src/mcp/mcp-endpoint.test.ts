import { McpServer } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { z } from "zod";
import { McpEndpoint } from "./mcp-endpoint.ts";

const ada = { tenant: "t", project: "p", user: "ada" };
const bob = { ...ada, user: "bob" };

/** An endpoint with at most two concurrent calls of a user. Calls of the tool `wait` do not end. */
function bench() {
  const endpoint = new McpEndpoint(2, () => 0);
  const makeServer = () => {
    const server = new McpServer({ name: "test", version: "1" });
    server.registerTool("wait", { inputSchema: z.object({}) }, () => new Promise(() => undefined));
    return server;
  };
  const send = (owner: typeof ada, body: object, session: string | null = null) => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session === null ? {} : { "mcp-session-id": session }),
    };
    const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers, body: JSON.stringify(body) });
    const isAllowed = async () => true;
    return endpoint.serve({ request, body, owner, isAllowed, makeServer, onFailure: () => expect.unreachable() });
  };
  return {
    send,
    begin: async (owner: typeof ada) => {
      const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };
      const response = await send(owner, { jsonrpc: "2.0", id: 1, method: "initialize", params });
      await response.text();
      return response.headers.get("mcp-session-id");
    },
  };
}

const call = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "wait", arguments: {} } });

it("a batch is refused with an error that says what to send instead", async () => {
  const { send, begin } = bench();
  const response = await send(ada, [call(2)], await begin(ada));
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32_600, message: "Batches are not supported. Send one message per request." },
  });
});

it("a call counts against the limit of its user until its stream ends, and notifications do not count", async () => {
  const { send, begin } = bench();
  const [session, other] = [await begin(ada), await begin(bob)];
  const first = await send(ada, call(2), session);
  const second = await send(ada, call(3), session);
  await expect(send(ada, call(4), session)).rejects.toMatchObject({ code: "over_share" });
  const stop = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
  expect((await send(ada, stop, session)).status).toBe(202);
  const others = await send(bob, call(2), other);
  await first.body?.cancel();
  const third = await send(ada, call(4), session);
  for (const { body, status } of [second, others, third]) {
    expect(status).toBe(200);
    await body?.cancel();
  }
});

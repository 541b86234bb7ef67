/** Tests which requests wait for memory because they load a whole conversation. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { overShare } from "cairn-agent/turns";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { callsOf, TokenHolder } from "../../test/described-calls.ts";
import { ServerBench } from "../../test/server-bench.ts";
import { ViewRoom } from "./view-room.ts";

let bench: ServerBench;
const { ada, list } = TokenHolder.pair(() => bench);
let target: Awaited<ReturnType<typeof ada.converse>>;

beforeAll(async () => {
  bench = await ServerBench.open({
    settings: { CAIRN_TOKENS: list },
    server: { userRequests: 10_000, tenantRequests: 10_000 },
  });
  target = await ada.converse("ocelot");
  const full = overShare("views", { of: "all", allowed: 1, held: 1 }, 2);
  vi.spyOn(ViewRoom.prototype, "enter").mockRejectedValue(full);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await bench[Symbol.asyncDispose]();
});

const IN_ROOM = [
  "DELETE /api/conversations/{id}/orders/{order}",
  "GET /api/chat/{id}",
  "GET /api/conversations/{id}",
  "GET /api/conversations/{id}/blocks",
  "GET /api/conversations/{id}/orders",
  "GET /api/conversations/{id}/read",
  "GET /api/conversations/{id}/requests",
  "GET /api/conversations/{id}/requests/{n}",
  "GET /api/conversations/{id}/sources",
  "GET /api/conversations/{id}/timeline",
  "PATCH /api/conversations/{id}/orders/{order}",
  "POST /api/conversations/{id}/orders",
];

it("without room, every endpoint that loads a whole conversation answers 429, and no other does", async () => {
  const refused = new Set<string>();
  for (const call of callsOf(await bench.get("/openapi.json"), target)) {
    if (call.method !== "GET" && !call.route.includes("/orders")) continue;
    const { status, text } = await ada.send(call);
    if (status !== 429) continue;
    expect(JSON.parse(text).error).toMatchObject({ code: "over_share", details: { limit: "views" } });
    refused.add(`${call.method} ${call.route}`);
  }
  expect([...refused].sort()).toEqual(IN_ROOM);
});

it("without room, the tools of /mcp that read a conversation say so", async () => {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${ada.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${bench.address}/mcp`), { requestInit }));
  const { conversation } = target;
  for (const [name, params] of [
    ["ask", { message: "Hello" }],
    ["follow", { conversation }],
    ["read", { conversation, path: target.logicalPath }],
  ] as const) {
    const { isError, content } = await client.callTool({ name, arguments: params });
    expect([name, isError, JSON.stringify(content)]).toEqual([name, true, expect.stringContaining("over_share")]);
  }
  await client.close();
});

it("a tool of /mcp gives its room back when it has read", async () => {
  const release = vi.fn();
  const enter = vi.spyOn(ViewRoom.prototype, "enter").mockResolvedValue(release);
  enter.mockClear();
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${ada.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${bench.address}/mcp`), { requestInit }));
  await client.callTool({ name: "follow", arguments: { conversation: target.conversation } });
  expect([enter.mock.calls.length, release.mock.calls.length]).toEqual([1, 1]);
  await client.close();
});

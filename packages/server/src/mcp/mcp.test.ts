/** Tests `/mcp` of a server with tokens, with the official client library. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineAgent, defineTool } from "@cairn/agent";
import { Client, type ElicitResult, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { AuditLine } from "cairn-agent/process";
import { scriptedModel } from "cairn-agent/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { TokenHolder } from "../../test/described-calls.ts";
import { ServerBench } from "../../test/server-bench.ts";

let bench: ServerBench;
let order: () => void = () => undefined;
const resume = Promise.withResolvers<void>();
const { ada, bob, list } = TokenHolder.pair(() => bench);
const ordered: string[] = [];

const shop = defineTool({
  id: "shop.order",
  description: "Orders something.",
  params: z.object({ what: z.string() }),
  approval: "always",
  run: async ({ what }) => {
    ordered.push(what);
    return { ok: true, error: null, ret: { done: true } };
  },
});
/** The call ends when the turn is stopped, or when the test calls `resume`. */
const rest = defineTool({
  id: "shop.rest",
  description: "Rests until it is stopped.",
  params: z.object({}),
  run: async (_, { signal }) => {
    order();
    const stopped = new Promise((done) => signal.addEventListener("abort", done, { once: true }));
    await Promise.race([stopped, resume.promise]);
    return { ok: true, error: null, ret: {} };
  },
});

beforeAll(async () => {
  const model = scriptedModel(({ view }) => {
    const said = JSON.stringify(view.messages());
    const last = said.slice(said.lastIndexOf("[USER MESSAGE]"));
    if (/Rest|rest forever/.test(last) && !last.includes("shop.rest")) return { call: "shop.rest" };
    if (last.includes("Order tea") && !last.includes("shop.order"))
      return { call: "shop.order", input: { what: "tea" } };
    return { say: "The hills are green." };
  });
  const agents = [defineAgent({ name: "clerk", instructions: "Help.", model, tools: [shop, rest] })];
  const settings = { CAIRN_TOKENS: list, CAIRN_AUDIT: "audit.jsonl" };
  bench = await ServerBench.open({ agents, settings });
});
afterAll(() => bench[Symbol.asyncDispose]());

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, string>>;
}

class Caller implements AsyncDisposable {
  readonly questions: string[] = [];
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;

  constructor(token: string, mode: "legacy" | "auto", answer: ElicitResult | Promise<ElicitResult>) {
    const capabilities = { elicitation: { form: {} } };
    this.client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode } });
    this.client.setRequestHandler("elicitation/create", async ({ params }) => {
      this.questions.push(params.message);
      return answer;
    });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    this.transport = new StreamableHTTPClientTransport(new URL(`${bench.address}/mcp`), { requestInit });
  }

  static async open(token: string, mode: "legacy" | "auto", answer?: ElicitResult | Promise<ElicitResult>) {
    const caller = new Caller(token, mode, answer ?? YES);
    await caller.client.connect(caller.transport);
    return caller;
  }

  async call(name: string, args: object, options: object = {}, state: object = {}): Promise<Result> {
    const asked = { name, arguments: { ...args }, ...state };
    return (await this.client.callTool(asked, { timeout: 300_000, ...options })) as unknown as Result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

const YES: ElicitResult = { action: "accept", content: { approve: true } };

const auditLines = async (): Promise<AuditLine[]> =>
  (await readFile(join(bench.folder, "audit.jsonl"), "utf8"))
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe.each(["legacy", "auto"] as const)("a client with the %s handshake", (mode) => {
  it("asks, approves a call, and finds and reads what was said", async () => {
    await using caller = await Caller.open(ada.token, mode);
    const progress: string[] = [];
    const onprogress = ({ message = "" }) => progress.push(message);
    const before = ordered.length;
    const asked = await caller.call("ask", { message: "Order tea" }, { onprogress });
    expect(asked).toMatchObject({ structuredContent: { exit: "complete", text: "The hills are green." } });
    expect(caller.questions).toEqual(['Cairn asks for your approval to call shop.order with {"what":"tea"}']);
    expect(ordered.slice(before)).toEqual(["tea"]);
    expect(progress).toContain("calls shop.order");
    const { conversation, turn } = asked.structuredContent;
    const again = await caller.call("follow", { conversation });
    expect(again.structuredContent).toMatchObject({ turn, text: "The hills are green." });
    const found = await caller.call("search", { query: "tea", conversation });
    expect(JSON.stringify(found.structuredContent)).toContain(`ar:${turn}.user.prompt`);
    const read = await caller.call("read", { conversation, path: `ar:${turn}.user.prompt` });
    expect(read.content[0]?.text).toBe("Order tea");
    const listed = await caller.call("list_conversations", {});
    expect(JSON.stringify(listed.structuredContent)).toContain(conversation);
    const lines = (await auditLines()).filter((line) => line.conversation === conversation);
    expect(lines.map(({ route }) => route)).toEqual([
      "/mcp ask",
      "/mcp ask",
      "/mcp follow",
      "/mcp search",
      "/mcp read",
    ]);
    expect(lines[0]).toMatchObject({ user: "ada", via: "token", turn, created: conversation, status: 200 });
    expect(Object.values(lines[1]?.consent ?? {})).toEqual([true]);
  });

  it("denies a call by declining, and stops its turn by cancelling the request", async () => {
    await using caller = await Caller.open(ada.token, mode, { action: "decline" });
    const before = ordered.length;
    const asked = await caller.call("ask", { message: "Order tea" });
    expect(asked.structuredContent).toMatchObject({ exit: "complete" });
    expect(ordered).toHaveLength(before);
    const { conversation } = asked.structuredContent;
    const stop = new AbortController();
    order = () => stop.abort();
    await expect(
      caller.call("ask", { message: "Please rest forever", conversation }, { signal: stop.signal }),
    ).rejects.toThrow();
    const followed = await caller.call("follow", { conversation });
    expect(followed.structuredContent).toMatchObject({ exit: "cancelled" });
  });

  it("stops following a turn by cancelling the request, and the turn goes on", async () => {
    await using caller = await Caller.open(ada.token, mode);
    const { conversation = "" } = (await caller.call("ask", { message: "Hills?" })).structuredContent;
    const rests = new Promise<void>((done) => {
      order = done;
    });
    const asked = caller.call("ask", { message: "Please rest forever", conversation });
    await rests;
    const stop = new AbortController();
    const left = expect(caller.call("follow", { conversation }, { signal: stop.signal })).rejects.toThrow();
    const last = async () => (await auditLines()).at(-1);
    const wait = { timeout: 60_000 };
    await expect.poll(last, wait).toMatchObject({ route: "/mcp follow", conversation, status: 200 });
    const before = (await auditLines()).length;
    stop.abort();
    await left;
    const since = async () => (await auditLines()).slice(before).map(({ route, status }) => `${route} ${status}`);
    await expect.poll(since, wait).toContain("/mcp follow 499");
    const path = `/api/conversations/${conversation}/cancel`;
    await ada.send({ method: "POST", path, type: "application/json", body: "{}" });
    expect((await asked).structuredContent).toMatchObject({ exit: "cancelled" });
  });

  it("of another user finds nothing, cannot follow, and cannot use the session", async () => {
    await using adas = await Caller.open(ada.token, mode);
    const { conversation = "", turn = "" } = (await adas.call("ask", { message: "Hills?" })).structuredContent;
    await using bobs = await Caller.open(bob.token, mode);
    for (const [name, args] of [
      ["ask", { message: "Hello", conversation }],
      ["follow", { conversation, turn }],
      ["read", { conversation, path: `ar:${turn}.user.prompt` }],
    ] as const)
      expect(await bobs.call(name, args)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^not_found/) }],
      });
    expect((await bobs.call("list_conversations", {})).structuredContent).toEqual({ items: [] });
    expect((await bobs.call("search", { query: "hills" })).structuredContent).toEqual({ items: [] });
    const { sessionId } = adas.transport;
    if (sessionId === undefined) return;
    const ping = (token: string) =>
      fetch(`${bench.address}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "mcp-session-id": sessionId,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
      });
    expect((await ping(bob.token)).status).toBe(404);
    expect((await ping(ada.token)).status).toBe(200);
  });
});

it("a turn goes on when the session of its client ends, and `follow` returns its answer", async () => {
  const leaving = await Caller.open(ada.token, "legacy");
  const { conversation } = (await leaving.call("ask", { message: "Hills?" })).structuredContent;
  const rests = new Promise<void>((done) => {
    order = done;
  });
  const lost = expect(leaving.call("ask", { message: "Please rest forever", conversation })).rejects.toThrow();
  await rests;
  await leaving.transport.terminateSession();
  await leaving.client.close();
  await lost;
  await using caller = await Caller.open(ada.token, "legacy");
  await caller.call("list_conversations", {});
  const followed = caller.call("follow", { conversation });
  resume.resolve();
  expect((await followed).structuredContent).toMatchObject({ exit: "complete", text: "The hills are green." });
});

it("a state is rejected when its client has changed it or got it from another user, and counts while the turn waits", async () => {
  await using first = await Caller.open(ada.token, "auto");
  const asked: unknown = await first.call("ask", { message: "Order tea" }, { allowInputRequired: true });
  const { requestState = "" } = asked as { readonly requestState?: string };
  const { conversation, turn } = (await auditLines()).at(-1) ?? {};
  const lines = async () => (await auditLines()).filter((line) => line.conversation === conversation);
  const state = { requestState };
  await using bobs = await Caller.open(bob.token, "auto");
  const rejected = { code: -32_602, message: expect.stringContaining("requestState") };
  await expect(bobs.call("ask", { message: "-" }, {}, state)).rejects.toMatchObject(rejected);
  for (const changed of [`${requestState}x`, `${turn} ${conversation}`])
    await expect(first.call("ask", { message: "-" }, {}, { requestState: changed })).rejects.toMatchObject(rejected);
  await using second = await Caller.open(ada.token, "auto");
  const answer = await second.call("ask", { message: "-" }, {}, state);
  expect(answer.structuredContent).toMatchObject({ conversation, turn, exit: "complete" });
  expect([bobs.questions.length, second.questions.length]).toEqual([0, 1]);
  expect((await lines()).map(({ route, consent }) => [route, Object.values(consent ?? {})])).toEqual([
    ["/mcp ask", []],
    ["/mcp ask", []],
    ["/mcp ask", [true]],
  ]);
  // The turn has ended. A call with the state of an ended turn fails, and the error says how to get the answer.
  const next = JSON.stringify({ conversation, turn });
  const refused = { isError: true, content: [{ text: expect.stringMatching(/^conflict: .* call follow with /) }] };
  const late = await second.call("ask", { message: "-" }, {}, state);
  expect(late).toMatchObject(refused);
  expect(late.content).toMatchObject([{ text: expect.stringContaining(next) }]);
  expect((await auditLines()).at(-1)).toMatchObject({ route: "/mcp ask", status: 409 });
});

it("requests without a token, of other sites' pages, and with other methods or bodies are rejected", async () => {
  const send = async (init: RequestInit, headers: Record<string, string> = {}) => {
    const all = { authorization: `Bearer ${ada.token}`, "content-type": "application/json", ...headers };
    return (await fetch(`${bench.address}/mcp`, { method: "POST", ...init, headers: all })).status;
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  expect(await send({ body }, { authorization: "Bearer wrong" })).toBe(401);
  expect(await send({ body }, { origin: "https://evil.example" })).toBe(403);
  expect(await send({ body }, { "content-type": "text/plain" })).toBe(415);
  expect(await send({ body: "{" })).toBe(400);
  expect(await send({ method: "GET" })).toBe(405);
});

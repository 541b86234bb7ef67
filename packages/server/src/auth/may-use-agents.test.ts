/** Tests callers who may use some of the agents, with every way to choose another agent or to continue with one. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeEvent } from "@cairn/timeline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { agent, type Cairn, createCairn } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { partsOf } from "cairn-agent/turns";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createHandler } from "../handler.ts";

const ADA = { tenant: "acme", user: "ada" };
const asked: string[] = [];
const reported: string[] = [];
const log = {
  info: () => {},
  warn: () => {},
  error: (_message: string, error: unknown) => reported.push(String(error)),
};
let folder: string;
let cairn: Cairn;
/** A conversation with the agent `boss`, and its turn. */
let turn: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-agents-"));
  const named = (name: string) => {
    const model = scriptedModel(() => {
      asked.push(name);
      return { say: `I am ${name}.` };
    });
    return agent({ name, model: { ...model, id: `model-of-${name}` }, instructions: "Help." });
  };
  cairn = await createCairn({ agents: [named("boss"), named("faq")], store: folder, log });
  const run = await cairn.conversation("of-boss", { ...ADA, agent: "boss" }).send("Hello");
  turn = run.id;
  await run.result;
  await (await cairn.conversation("of-faq", { ...ADA, agent: "faq" }).send("Hello", { agent: "boss" })).result;
  asked.length = 0;
});
afterAll(async () => {
  await cairn.close();
  await rm(folder, { recursive: true, force: true });
});

const handlerFor = (agents: unknown) =>
  createHandler(cairn, { authenticate: () => ({ ...ADA, inspect: true, agents }) as never });

async function send(path: string, body?: object, agents: unknown = ["faq"]) {
  const json = body === undefined ? {} : { body: JSON.stringify(body), method: "POST" };
  const headers = { "content-type": "application/json" };
  return handlerFor(agents).fetch(new Request(`https://shop.example/api${path}`, { headers, ...json }));
}

const chat = (id: string) => ({ id, messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "Hi" }] }] });

it("the caller sees only these agents and their models, and the first of them is the default", async () => {
  const meta = await (await send("/meta")).json();
  expect([meta.agents.map(({ name }: { name: string }) => name), meta.models]).toEqual([["faq"], ["model-of-faq"]]);
  expect(await (await send("/chat", chat("new"))).text()).toContain('"delta":"faq."');
  const { fetch } = createHandler(cairn, { authenticate: () => ADA });
  expect((await (await fetch(new Request("https://shop.example/api/meta"))).json()).agents).toHaveLength(2);
});

it("no endpoint chooses another agent, or continues with one", async () => {
  const { store, now } = partsOf(cairn);
  const waits = { ...ADA, project: "default", conversation: "waits" };
  const ts = new Date(now()).toISOString();
  const mode = "turn" as const;
  const input = { key: "k", mode, message: "Hi", attachments: [], ts, turn_id: "turn_1", agent: "boss" };
  const events = [makeEvent("input.received", input)];
  const { last_seq } = await store.createConversation(waits, { attributes: { agent: "faq" }, events });
  asked.length = 0;
  const faqTurn = (await (await send("/conversations/of-faq")).json()).turns[0].turn_id;
  const messages = [{ role: "user", content: "Hi" }];
  const hello = { message: "Hi" };
  for (const [path, body] of [
    ["/conversations", { agent: "boss" }],
    ["/conversations/of-faq/turns", { ...hello, agent: "boss" }],
    ["/conversations/of-boss/turns", hello],
    ["/chat", chat("of-boss")],
    ["/conversations/of-boss/branch", { before: turn }],
    ["/conversations/of-faq/branch", { before: faqTurn, message: "Again" }],
    ["/conversations/of-faq/fork", { at: { turn_id: faqTurn, edge: "before" }, resend: true }],
    ["/conversations/waits/fork", { at: last_seq }],
    ["/import/messages", { messages, format: "openai-chat", agent: "boss" }],
    ["/import", {}],
  ] as const) {
    const answer = await send(path, body);
    const { error } = await answer.json();
    expect([path, answer.status, error?.code]).toEqual([path, 403, "forbidden"]);
    if (path !== "/import") expect(error.message).toContain('"boss"');
  }
  const byModel = await send("/conversations/of-faq/turns", { ...hello, model: "model-of-boss" });
  expect((await byModel.json()).error.code).toBe("bad_model");
  expect(asked).toEqual([]);
});

it("MCP offers and accepts only these agents", async () => {
  const client = new Client({ name: "test", version: "1" });
  const { fetch } = handlerFor(["faq"]);
  const mounted = async (url: string | URL, init?: RequestInit) => fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL("https://shop.example/mcp"), { fetch: mounted }));
  const { tools } = await client.listTools();
  expect(JSON.stringify(tools)).not.toContain("boss");
  const refused = await client.callTool({ name: "ask", arguments: { message: "Hi", conversation: "of-boss" } });
  expect(JSON.stringify(refused.content)).toContain("forbidden: You may not use the agent");
  await client.close();
});

it("an application that returns something else as agents has failed, and a caller without agents can use none", async () => {
  expect((await send("/meta", undefined, "faq")).status).toBe(500);
  expect(reported).toEqual([
    expect.stringContaining("The `agents` that `authenticate` returned must be a list of names."),
  ]);
  const none = await send("/conversations", {}, []);
  expect([none.status, (await none.json()).error.message]).toEqual([
    403,
    "You may not use any agent of this application.",
  ]);
});

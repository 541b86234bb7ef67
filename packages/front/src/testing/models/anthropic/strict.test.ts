/** Tests requests that Anthropic rejects, with its error texts. */
import type { JsonObject } from "@cairn/timeline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ModelSimulator } from "../model-simulator.ts";
import { sealFor } from "../script/seal.ts";

let simulator: ModelSimulator;
beforeAll(async () => {
  simulator = await ModelSimulator.start({ countTokens: (text) => text.length, apiKey: "key" });
  simulator.script([{ reply: { text: "ok" }, times: Number.POSITIVE_INFINITY }]);
});
afterAll(() => simulator.close());

const HEADERS = { "content-type": "application/json", "x-api-key": "key", "anthropic-version": "2023-06-01" };

async function send(body: JsonObject | string, headers: Record<string, string> = HEADERS) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${simulator.baseUrl}/messages`, { method: "POST", headers, body: text });
  return { status: response.status, body: (await response.json()) as { error?: { type: string; message: string } } };
}

const text = (value: string, cache_control?: JsonObject): JsonObject => ({
  type: "text",
  text: value,
  ...(cache_control === undefined ? {} : { cache_control }),
});
const five = { type: "ephemeral" };
const hour = { type: "ephemeral", ttl: "1h" };
const user = (...content: JsonObject[]): JsonObject => ({ role: "user", content });
const assistant = (...content: JsonObject[]): JsonObject => ({ role: "assistant", content });
const use = (id: string): JsonObject => ({ type: "tool_use", id, name: "look", input: {} });
const result = (id: string): JsonObject => ({ type: "tool_result", tool_use_id: id, content: "seen" });
const look = { name: "look", description: "Looks", input_schema: { type: "object", properties: {} } };
const base: JsonObject = { model: "claude-sonnet-4-5", max_tokens: 10, messages: [user(text("hi"))] };
const talk = (...messages: JsonObject[]): JsonObject => ({ ...base, tools: [look], messages });
const image = (media_type: string, data = "AAAA"): JsonObject => ({
  type: "image",
  source: { type: "base64", media_type, data },
});
const { max_tokens: _, ...withoutMax } = base;

it.each<[string, JsonObject]>([
  ["a string as content", { ...base, messages: [{ role: "user", content: "hi" }] }],
  [
    "four markers, longer lives first",
    {
      ...base,
      system: [text("s", hour)],
      tools: [{ ...look, cache_control: hour }],
      messages: [user(text("a", five), text("b", five))],
    },
  ],
  ["consecutive messages of one role", talk(user(text("a")), user(text("b")))],
  [
    "calls with their results",
    talk(user(text("a")), assistant(use("t1"), use("t2")), user(result("t1"), result("t2"), text("more"))),
  ],
  [
    "pictures and documents",
    {
      ...base,
      messages: [
        user(image("image/png"), {
          type: "document",
          source: { type: "base64", media_type: "application/pdf", data: "AAAA" },
        }),
      ],
    },
  ],
  ["a marker of the whole request", { ...base, cache_control: five }],
  [
    "thinking with its signature",
    talk(
      user(text("a")),
      assistant({ type: "thinking", thinking: "m", signature: sealFor("m") }, use("t1")),
      user(result("t1")),
    ),
  ],
])("accepts %s", async (_, body) => {
  expect(await send(body)).toMatchObject({ status: 200 });
});

it.each<[string, JsonObject, string]>([
  [
    "a fifth breakpoint",
    { ...base, messages: [user(...["a", "b", "c", "d", "e"].map((each) => text(each, five)))] },
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
  ],
  [
    "a fifth breakpoint by the whole request",
    {
      ...base,
      cache_control: five,
      messages: [user(...["a", "b", "c", "d"].map((each) => text(each, five)), text("e"))],
    },
    "Found 5.",
  ],
  ["an empty text", { ...base, messages: [user(text(""))] }, "text content blocks must be non-empty"],
  ["a text has no visible character", { ...base, messages: [user(text(" \n"))] }, "must contain non-whitespace text"],
  [
    "a marker on an empty text",
    { ...base, messages: [user(text("", five))] },
    "cache_control cannot be set for empty text blocks",
  ],
  ["an empty system text", { ...base, system: [text("")] }, "system: text content blocks must be non-empty"],
  [
    "an hour after five minutes",
    { ...base, system: [text("s", five)], messages: [user(text("a", hour))] },
    "messages.0.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after",
  ],
  [
    "a marker on thinking",
    talk(user(text("a")), assistant({ type: "thinking", thinking: "m", signature: "s", cache_control: five })),
    "messages.1.content.0.cache_control: Extra inputs are not permitted",
  ],
  [
    "an unknown TTL",
    { ...base, messages: [user(text("a", { type: "ephemeral", ttl: "2h" }))] },
    "messages.0.content.0.cache_control.ttl",
  ],
  ["an unknown field", { ...base, reasoning: "high" }, "reasoning: Extra inputs are not permitted"],
  [
    "an unknown field of a block",
    { ...base, messages: [user({ ...text("a"), id: "x" })] },
    "messages.0.content.0.id: Extra inputs are not permitted",
  ],
  ["no max_tokens", withoutMax as JsonObject, "max_tokens: Field required"],
  ["no messages", { ...base, messages: [] }, "messages: at least one message is required"],
  ["an empty message", { ...base, messages: [user()] }, "messages.0: all messages must have non-empty content"],
  ["the assistant first", talk(assistant(text("a")), user(text("b"))), 'first message must use the "user" role'],
  ["the assistant last", talk(user(text("a")), assistant(text("b"))), "does not support assistant message prefill"],
  ["a system message among the messages", { ...base, messages: [{ role: "system", content: "s" }] }, "messages.0.role"],
  [
    "a call without a result",
    talk(user(text("a")), assistant(use("t1"), use("t2")), user(result("t1"))),
    "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t2.",
  ],
  ["a call at the end", talk(user(text("a")), assistant(use("t1"))), "ids were found without `tool_result`"],
  [
    "a result after a text",
    talk(user(text("a")), assistant(use("t1")), user(text("b"), result("t1"))),
    "ids were found without `tool_result`",
  ],
  [
    "a result without a call",
    talk(user(result("t9"))),
    "messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t9.",
  ],
  [
    "two results of a call",
    talk(user(text("a")), assistant(use("t1")), user(result("t1"), result("t1"))),
    "must have a single result",
  ],
  [
    "two calls of one id",
    talk(user(text("a")), assistant(use("t1"), use("t1")), user(result("t1"))),
    "ids must be unique",
  ],
  ["an unknown choice of tools", { ...base, tools: [look], tool_choice: { type: "sometimes" } }, "tool_choice"],
  [
    "a choice of a tool that is not there",
    { ...base, tools: [look], tool_choice: { type: "tool", name: "jump" } },
    "Tool 'jump' not found in provided tools",
  ],
  ["a choice without tools", { ...base, tool_choice: { type: "auto" } }, "may only be specified while providing tools"],
  [
    "a schema that is no object's",
    { ...base, tools: [{ ...look, input_schema: { type: "array" } }] },
    "tools.0.custom.input_schema.type: Input should be 'object'",
  ],
  [
    "a schema that is none",
    { ...base, tools: [{ ...look, input_schema: { type: "object", properties: { a: { type: "text" } } } }] },
    "JSON schema is invalid",
  ],
  ["a tool's name with a dot", { ...base, tools: [{ ...look, name: "react.read" }] }, "tools.0.custom.name"],
  ["two tools of one name", { ...base, tools: [look, look] }, "Tool names must be unique"],
  [
    "a kind of picture it cannot read",
    { ...base, messages: [user(image("image/svg+xml"))] },
    "messages.0.content.0.source.media_type",
  ],
  [
    "bytes that are no base64",
    { ...base, messages: [user(image("image/png", "***"))] },
    "messages.0.content.0.source.data",
  ],
  [
    "a picture that is too large",
    { ...base, messages: [user(image("image/png", "A".repeat(7_000_000)))] },
    "image exceeds 5 MB maximum",
  ],
  [
    "thinking beyond the limit",
    { ...base, thinking: { type: "enabled", budget_tokens: 2_000 } },
    "must be greater than `thinking.budget_tokens`",
  ],
])("rejects %s", async (_, body, message) => {
  const answer = await send(body);
  expect(answer).toMatchObject({ status: 400, body: { type: "error", error: { type: "invalid_request_error" } } });
  expect(answer.body.error?.message).toContain(message);
});

it.each<[string, Record<string, string>, number, string]>([
  ["no key", { "anthropic-version": "2023-06-01" }, 401, "authentication_error"],
  ["another key", { ...HEADERS, "x-api-key": "other" }, 401, "authentication_error"],
  ["no version", { "x-api-key": "key" }, 400, "invalid_request_error"],
  ["an unknown version", { ...HEADERS, "anthropic-version": "2020-01-01" }, 400, "invalid_request_error"],
])("rejects %s", async (_, headers, status, type) => {
  expect(await send(base, headers)).toMatchObject({ status, body: { error: { type } } });
});

it.each<[string, string]>([
  ["no JSON", "{"],
  ["half a surrogate pair", JSON.stringify({ ...base, system: "\ud800" })],
  ["bottomless nesting", `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`],
  ["a list", "[]"],
  ["nothing", ""],
])("rejects a body that is %s", async (_, body) => {
  expect(await send(body)).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error" } } });
});

it("treats names of prototype members as ordinary names", async () => {
  expect((await send(`{"__proto__": {}, ${JSON.stringify(base).slice(1)}`)).status).toBe(400);
  expect((await send({ ...base, constructor: {} })).body.error?.message).toContain("constructor");
});

it("only fills the cache when the maximum output is zero", async () => {
  const before = simulator.requests.length;
  const answer = await send({ ...base, max_tokens: 0 });
  expect(answer).toMatchObject({ status: 200, body: { content: [], usage: { output_tokens: 0 } } });
  expect(simulator.requests[before]?.step).toBeNull();
});

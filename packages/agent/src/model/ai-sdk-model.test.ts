/**
 * Tests the adapter with the providers' own packages against servers that implement and check the providers' wire
 * formats.
 */
import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { make } from "@cairn/testkit/conversation";
import { ModelSimulator } from "@cairn/testkit/models";
import { FLAT_1, type Lowering, lowerView, NATIVE_1, type ProviderId, Timeline } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { comparableBody } from "../../test/comparable-body.ts";
import { aiSdkModel } from "./ai-sdk-model.ts";
import type { Model, ModelPart, ModelRequest, SentBody } from "./model.ts";
import type { ModelError } from "./model-error.ts";
import { wireInput, withEagerTools } from "./wire-input.ts";

const countTokens = (text: string) => text.length;
const CLAUDE_ON_BEDROCK = "us.anthropic.claude-sonnet-5-v1:0";
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF = Buffer.from("%PDF-1.4\n").toString("base64");
const tools = [
  { name: "react.write", description: "Writes", schema: { type: "object", properties: { path: { type: "string" } } } },
  {
    name: "react.read",
    description: "Reads",
    schema: { type: "object", properties: { paths: { type: "array", items: {} } } },
  },
];

let simulator: ModelSimulator;
let now = 0;
beforeEach(async () => {
  now = 1_000_000;
  simulator = await ModelSimulator.start({ countTokens, clock: { now: () => now } });
});
afterEach(() => simulator.close());

function conversation() {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens });
  timeline.contribute([
    make.header("turn_1"),
    make.prompt("turn_1", "What is on the menu?"),
    ...make.attachment("turn_1", { name: "menu.pdf", mime: "application/pdf", base64: PDF }),
    ...make.attachment("turn_1", { name: "dish.png", mime: "image/png", base64: PNG }),
  ]);
  return timeline;
}

function round(timeline: Timeline, nth: number) {
  const at = { turn: "turn_1", call: `tc_${nth}`, iteration: nth };
  const other = { ...at, call: `tc_${nth}_b` };
  timeline.contribute([
    make.notes(at, `Round ${nth}.`),
    make.call(at, "react.read", { paths: [`fi:${nth}`] }),
    make.call(other, "react.read", { paths: ["fi:p.png"] }),
    ...make.file(other, { name: "p.png", mime: "image/png", base64: PNG }),
    make.result(at, "text ".repeat(400), "text/plain"),
  ]);
}

function requestOf(timeline: Timeline, more: Partial<ModelRequest> = {}): ModelRequest {
  timeline.announce([{ type: "react.announce", text: `time ${now}` }]);
  return {
    system: "Be brief. ".repeat(150),
    tools,
    view: timeline.render({ includeAnnounce: true, includeSources: true }),
    strategy: "economic",
    ttl: "5m",
    cacheKey: "conversation-1",
    maxOutputTokens: 1_000,
    readBlob: async () => PDF,
    ...more,
  };
}

type Fetch = typeof globalThis.fetch;

interface Setup {
  readonly provider: ProviderId;
  readonly model: (fetch?: Fetch) => LanguageModelV4;
  readonly api?: "chat";
  readonly lowering?: Lowering;
  /** Whether the API sends the model's thinking; by default all but Chat Completions do. */
  readonly thinks?: boolean;
}

const flat: Record<string, Setup> = {
  "Anthropic Messages": {
    provider: "anthropic",
    model: (fetch) => createAnthropic(settings(fetch))("claude-sonnet-5-5"),
  },
  "OpenAI Responses": {
    provider: "openai",
    model: (fetch) => createOpenAI(settings(fetch))("gpt-6.1-sol"),
  },
  "OpenAI Chat Completions": {
    provider: "openai",
    model: (fetch) => createOpenAI(settings(fetch)).chat("gpt-6.1-sol"),
    api: "chat",
  },
  "Bedrock with a key": {
    provider: "bedrock",
    model: (fetch) => createAmazonBedrock({ ...settings(fetch), region: "us-east-1" })(CLAUDE_ON_BEDROCK),
    api: "chat",
    thinks: true,
  },
  "Bedrock with signed requests": {
    provider: "bedrock",
    model: (fetch = globalThis.fetch) =>
      createAmazonBedrock({
        baseURL: simulator.baseUrl,
        region: "us-east-1",
        accessKeyId: "id",
        secretAccessKey: "secret",
        fetch,
      })(CLAUDE_ON_BEDROCK),
    api: "chat",
    thinks: true,
  },
};

const setups: Record<string, Setup> = {
  ...flat,
  ...Object.fromEntries(
    Object.entries(flat).map(([name, setup]) => [`${name}, native`, { ...setup, lowering: NATIVE_1 }]),
  ),
};

function settings(fetch: Fetch = globalThis.fetch) {
  return { baseURL: simulator.baseUrl, apiKey: "key", fetch };
}

function modelOf({ provider, model, lowering = FLAT_1 }: Setup, silenceMs?: number): Model {
  const limits = {
    lowering,
    contextTokens: 100_000,
    maxOutputTokens: 1_000,
    ...(silenceMs === undefined ? {} : { silenceMs }),
  };
  return aiSdkModel({ model: model(), id: "test", provider, ...limits, now: () => now });
}

async function collect(model: Model, request: ModelRequest, signal = new AbortController().signal) {
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, { signal })) parts.push(part);
  const join = (type: "text" | "thinking") => parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
  const calls = parts.flatMap((part) => (part.type === "call" ? [part] : []));
  const params = calls.map(({ index }) =>
    parts.flatMap((part) => (part.type === "params" && part.index === index ? [part.text] : [])).join(""),
  );
  const finish = parts.at(-1);
  if (finish?.type !== "finish") throw new Error("no finish");
  return { parts, text: join("text"), thinking: join("thinking"), calls, params, finish };
}

async function failureOf(model: Model, request: ModelRequest): Promise<ModelError> {
  const failed = collect(model, request).then(
    () => null,
    (error: unknown) => error as ModelError,
  );
  const error = await failed;
  if (error === null) throw new Error("did not fail");
  return error;
}

describe.each(Object.entries(setups))("%s", (_, setup) => {
  const { thinks = setup.api !== "chat" } = setup;

  it("streams text, thinking and calls piece by piece, and reports tools under their own names", async () => {
    simulator.script([
      {
        reply: {
          ...(!thinks ? {} : { thinking: "Two things to do." }),
          text: "I look at both, and write it down.",
          calls: [
            { name: "react__read", input: { paths: ["fi:a", "fi:b"] } },
            { name: "react__write", input: { path: "x.md" } },
            { name: "unheard_of", input: {} },
          ],
        },
      },
    ]);
    const { text, thinking, calls, params, finish, parts } = await collect(modelOf(setup), requestOf(conversation()));
    expect(text).toBe("I look at both, and write it down.");
    if (thinks) expect(thinking).toBe("Two things to do.");
    expect(calls.map((call) => call.name)).toEqual(["react.read", "react.write", "unheard_of"]);
    expect(params.slice(0, 2).map((json) => JSON.parse(json))).toEqual([{ paths: ["fi:a", "fi:b"] }, { path: "x.md" }]);
    expect(finish.reason).toBe("calls");
    expect(parts.filter(({ type }) => type === "text").length).toBeGreaterThan(1);
  });

  it("sends exactly the lowered view, with the same bytes each time", async () => {
    simulator.script([{ reply: { text: "ok" }, times: 2 }]);
    const timeline = conversation();
    round(timeline, 1);
    const request = requestOf(timeline);
    await collect(modelOf(setup), request);
    await collect(modelOf(setup), request);
    const [first, second] = simulator.requests;
    expect(first?.refusal).toBeNull();
    expect(second?.bytes).toBe(first?.bytes);
    const { input } = await wireInput(request, {
      api: setup.api ?? "responses",
      lowering: setup.lowering ?? FLAT_1,
    });
    const lowered = lowerView(request.view, input, setup.provider);
    const wire = setup.provider === "anthropic" ? withEagerTools(lowered) : lowered;
    const body = comparableBody(first?.body ?? {});
    for (const [field, value] of Object.entries(comparableBody(wire.body))) expect(body[field], field).toEqual(value);
    expect(body.store ?? false).toBe(false);
  });

  it("reports the bytes that were sent, and can serialise them again without sending them", async () => {
    simulator.script([{ reply: { text: "ok" }, times: 2 }]);
    const limits = { contextTokens: 100_000, maxOutputTokens: 1_000 };
    const timeline = conversation();
    round(timeline, 1);
    const request = requestOf(timeline, { toolChoice: "none", instruction: "Sum it up. \ud800 é" });
    const told: (string | null)[] = [];
    const tell = { signal: new AbortController().signal, onSent: ({ body }: SentBody) => told.push(body) };
    const { lowering = FLAT_1 } = setup;
    const adapted = aiSdkModel({ model: setup.model, id: "test", provider: setup.provider, lowering, ...limits });
    await Array.fromAsync(adapted.stream(request, tell));
    const [sent] = simulator.requests;
    expect(told).toEqual([sent?.bytes]);
    expect((await adapted.spell?.(request))?.body).toBe(sent?.bytes);
    expect(simulator.requests).toHaveLength(1);
    // A model instance that the application created keeps its own `fetch`.
    const readyMade = modelOf(setup);
    await Array.fromAsync(readyMade.stream(request, tell));
    expect(told.at(-1)).toBeNull();
    expect(readyMade.spell).toBeUndefined();
  });

  it("is billed for new content, reads the rest from the cache, and reports both", async () => {
    simulator.script([{ reply: { text: "ok" }, times: 9 }]);
    const timeline = conversation();
    const model = modelOf(setup);
    let sent = 0;
    for (let nth = 1; nth <= 4; nth++) {
      round(timeline, nth);
      now += 1_000;
      const { finish } = await collect(model, requestOf(timeline));
      const billed = simulator.requests.at(-1)?.usage;
      expect(finish.usage).toMatchObject({
        input: billed?.total,
        cacheRead: billed?.read,
        cacheWrite: billed?.written,
        output: 2,
      });
      if ((setup.provider === "anthropic" || setup.provider === "bedrock") && nth === 1)
        expect(finish.usage.cacheWriteLong).toBe(billed?.writtenForHour);
      if (nth > 1) expect(finish.usage.cacheRead).toBeGreaterThan(sent * 0.9);
      sent = finish.usage.cacheRead + finish.usage.cacheWrite;
    }
  });

  it("appends an instruction without disturbing the cached part", async () => {
    simulator.script([{ reply: { text: "ok" }, times: 2 }]);
    const timeline = conversation();
    round(timeline, 1);
    const model = modelOf(setup);
    await collect(model, requestOf(timeline));
    const { finish } = await collect(model, requestOf(timeline, { instruction: "Summarise." }));
    expect(simulator.requests[1]?.request?.lastText).toContain("Summarise.");
    expect(finish.usage.cacheRead).toBe(
      (simulator.requests[0]?.usage?.read ?? 0) + (simulator.requests[0]?.usage?.written ?? 0),
    );
  });

  it("forbids calls and asks for text when no tool may be called", async () => {
    simulator.script([{ reply: { text: "ok" } }]);
    await collect(modelOf(setup), requestOf(conversation(), { toolChoice: "none" }));
    const [sent] = simulator.requests;
    if (setup.provider === "bedrock") expect(sent?.request?.lastText).toContain("Do not call a tool now.");
    else expect(sent?.body?.tool_choice).toEqual(setup.provider === "anthropic" ? { type: "none" } : "none");
    expect(simulator.requests[0]?.request?.toolNames).toEqual(["react__read", "react__write"]);
  });

  it.each([
    ["length", { text: "half", truncated: true }],
    ["refusal", { refusal: "I will not." }],
    ["stop", { text: "done" }],
  ] as const)("reports why an answer ended: %s", async (reason, reply) => {
    simulator.script([{ reply }]);
    expect((await collect(modelOf(setup), requestOf(conversation()))).finish.reason).toBe(reason);
  });

  it("returns the received part of parameters that were cut off", async () => {
    simulator.script([{ reply: { calls: [{ name: "react__read", rawInput: '{"paths": ["fi:' }], truncated: true } }]);
    const { params } = await collect(modelOf(setup), requestOf(conversation()));
    expect(params).toEqual(['{"paths": ["fi:']);
  });

  it.each([
    ["overloaded", { fault: "overloaded", retryAfter: 7 }, 7_000],
    ["rate limited", { fault: "rate_limited", retryAfter: 2 }, 2_000],
    ["broken", { fault: "status", status: 500 }, null],
    ["gone before it answered", { fault: "cut" }, null],
    ["cut off in the middle", { text: "half of it is here", interrupt: { after: 1, by: "cut" } }, null],
    ["failing in the middle", { text: "half of it is here", interrupt: { after: 1, by: "error" } }, null],
  ] as const)("an error of a provider that is %s can be retried", async (_, reply, wait) => {
    simulator.script([{ reply }]);
    const error = await failureOf(modelOf(setup), requestOf(conversation()));
    expect(error).toMatchObject({ name: "ModelError", kind: "transient", retryAfterMs: wait });
    expect(simulator.requests).toHaveLength(1);
  });

  it("a request that is too large is a context limit, and a wrong key is a final error", async () => {
    simulator.script([{ reply: { fault: "context_limit" } }, { reply: { fault: "status", status: 401 } }]);
    expect(await failureOf(modelOf(setup), requestOf(conversation()))).toMatchObject({ kind: "context_limit" });
    expect(await failureOf(modelOf(setup), requestOf(conversation()))).toMatchObject({ kind: "fatal" });
  });

  it("a model that stalls times out, before its first word and after it", async () => {
    simulator.script([
      { reply: { fault: "stall" } },
      { reply: { text: "half of it", interrupt: { after: 1, by: "stall" } } },
    ]);
    for (let nth = 0; nth < 2; nth++)
      expect(await failureOf(modelOf(setup, 100), requestOf(conversation()))).toMatchObject({ kind: "transient" });
  });

  it("an abort ends the stream at once and closes the connection", async () => {
    simulator.script([{ reply: { text: "slow ".repeat(1_000), delayMs: 20 } }]);
    const controller = new AbortController();
    const stream = modelOf(setup).stream(requestOf(conversation()), { signal: controller.signal });
    const said: ModelPart[] = [];
    const reason = new Error("cancelled by the user");
    const run = async () => {
      for await (const part of stream) {
        said.push(part);
        controller.abort(reason);
      }
    };
    await expect(run()).rejects.toBe(reason);
    expect(said).toHaveLength(1);
    await expect.poll(() => simulator.requests[0]?.aborted).toBe(true);
  });

  it("a reader that stops reading closes the connection too", async () => {
    simulator.script([{ reply: { text: "slow ".repeat(1_000), delayMs: 20 } }]);
    for await (const part of modelOf(setup).stream(requestOf(conversation()), { signal: AbortSignal.any([]) }))
      if (part.type === "text") break;
    await expect.poll(() => simulator.requests[0]?.aborted).toBe(true);
  });

  it("an aborted signal prevents the request from being sent", async () => {
    await expect(collect(modelOf(setup), requestOf(conversation()), AbortSignal.abort())).rejects.toThrow();
    expect(simulator.requests).toHaveLength(0);
  });
});

describe("models with automatic caches", () => {
  it("get no cache markers, and OpenAI's own models get the routing key", async () => {
    simulator.script([{ reply: { text: "ok" }, times: 9 }]);
    const openai = createOpenAI({ baseURL: simulator.baseUrl, apiKey: "key" });
    const compatible = createOpenAICompatible({ baseURL: simulator.baseUrl, name: "local", apiKey: "key" });
    for (const [model, key] of [
      [openai("gpt-4.1"), "conversation-1"],
      [openai.chat("gpt-4.1"), "conversation-1"],
      [compatible("gpt-4.1"), undefined],
    ] as const) {
      await collect(modelOf({ provider: "automatic", model: () => model }), requestOf(conversation()));
      const { bytes = "", body } = simulator.requests.at(-1) ?? {};
      expect(bytes).not.toContain("breakpoint");
      expect(body?.prompt_cache_key).toBe(key);
    }
    expect(simulator.requests.map(({ refusal }) => refusal)).toEqual([null, null, null]);
  });
});

it("a routing key that is too long for the provider is always shortened in the same way", async () => {
  simulator.script([{ reply: { text: "ok" }, times: 2 }]);
  const request = requestOf(conversation(), { cacheKey: "k".repeat(200) });
  for (let nth = 0; nth < 2; nth++)
    await collect(modelOf(setups["OpenAI Responses"] as (typeof setups)[string]), request);
  const keys = simulator.requests.map(({ body }) => body?.prompt_cache_key);
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(keys[1]).toBe(keys[0]);
});

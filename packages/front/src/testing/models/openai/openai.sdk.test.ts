/** Tests both simulated APIs of OpenAI with the same conversations of OpenAI's own, unmodified client. */
import { createOpenAI, type OpenAIProvider } from "@ai-sdk/openai";
import { APICallError, generateText, isStepCount, jsonSchema, type ModelMessage, streamText, tool } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ModelSimulator } from "../model-simulator.ts";

let simulator: ModelSimulator;
let openai: OpenAIProvider;
let now = 0;

beforeEach(async () => {
  now = 1_000_000;
  simulator = await ModelSimulator.start({ countTokens: (text) => text.length, clock: { now: () => now } });
  openai = createOpenAI({ baseURL: simulator.baseUrl, apiKey: "key" });
});
afterEach(() => simulator.close());

const weather = tool({
  description: "The weather of a place",
  inputSchema: jsonSchema<{ place: string }>({
    type: "object",
    properties: { place: { type: "string" } },
    required: ["place"],
    additionalProperties: false,
  }),
  execute: async ({ place }) => `sun in ${place}`,
});

const apis = [
  ["responses", () => openai.responses("gpt-5.6")],
  ["chat", () => openai.chat("gpt-5.6")],
] as const;

describe.each(apis)("the %s API", (api, model) => {
  it("streams text and several calls with their ids, and accepts the results", async () => {
    simulator.script([
      {
        reply: {
          thinking: "Two places are asked for.",
          text: "I look at both places.",
          calls: [
            { id: "call_a", name: "weather", input: { place: "Rome" } },
            { id: "call_b", name: "weather", input: { place: "Oslo" } },
          ],
        },
      },
      { when: ({ toolResults }) => toolResults.length === 2, reply: { text: "Sun in both." } },
    ]);
    const result = streamText({ model: model(), tools: { weather }, stopWhen: isStepCount(4), prompt: "Weather?" });
    const parts = await Array.fromAsync(result.stream);
    expect(await result.text).toBe("Sun in both.");
    const [first] = await result.steps;
    expect(first?.text).toBe("I look at both places.");
    if (api === "responses") expect(first?.reasoningText).toBe("Two places are asked for.");
    expect(first?.toolCalls.map(({ toolCallId, input }) => [toolCallId, input])).toEqual([
      ["call_a", { place: "Rome" }],
      ["call_b", { place: "Oslo" }],
    ]);
    expect(first?.finishReason).toBe("tool-calls");
    expect(parts.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(2);
    expect(simulator.requests[1]?.request?.toolResults).toEqual([
      { id: "call_a", text: "sun in Rome" },
      { id: "call_b", text: "sun in Oslo" },
    ]);
  });

  const marked = { openai: { promptCacheBreakpoint: { mode: "explicit" } } };
  const user = (text: string, isMarked: boolean): ModelMessage => ({
    role: "user",
    content: [{ type: "text", text, ...(isMarked ? { providerOptions: marked } : {}) }],
  });
  const ask = async (mode: "explicit" | "implicit", messages: ModelMessage[]) => {
    const options = { openai: { promptCacheOptions: { mode }, promptCacheKey: "one" } };
    const { usage } = await generateText({ model: model(), messages, providerOptions: options });
    const { cacheReadTokens, cacheWriteTokens } = usage.inputTokenDetails;
    return [cacheReadTokens, cacheWriteTokens];
  };

  it("caches at explicit breakpoints, and reads only at breakpoints of the request", async () => {
    simulator.script([{ reply: { text: "ok" }, times: 4 }]);
    const [a, b] = ["a".repeat(2_000), "b".repeat(500)];
    expect(await ask("explicit", [user(a, true), user("tail", false)])).toEqual([0, 2_000]);
    expect(await ask("explicit", [user(a, true), user(b, true), user("tail", false)])).toEqual([2_000, 500]);
    expect(await ask("explicit", [user(a, false), user(b, false), user("tail", true)])).toEqual([0, 2_504]);
    now += 1_801_000;
    expect(await ask("explicit", [user(a, true), user("tail", false)])).toEqual([0, 2_000]);
  });

  it("caches the end of the latest message automatically, and looks at the ends of earlier ones", async () => {
    simulator.script([{ reply: { text: "ok" }, times: 3 }]);
    const [a, b] = [user("a".repeat(2_000), false), user("b".repeat(500), false)];
    expect(await ask("implicit", [a])).toEqual([0, 2_000]);
    expect(await ask("implicit", [a, b])).toEqual([2_000, 500]);
    expect(await ask("implicit", [user(`${"a".repeat(2_000)}b`, false)])).toEqual([0, 2_001]);
  });

  it("the simulator sees an abort in the middle of a stream, and the client keeps the partial text", async () => {
    simulator.script([{ reply: { text: "x".repeat(64), interrupt: { after: 2, by: "stall" } } }]);
    const abort = new AbortController();
    let text = "";
    const result = streamText({ model: model(), prompt: "Go", abortSignal: abort.signal });
    for await (const delta of result.textStream) {
      text += delta;
      if (text.length >= 32) abort.abort();
    }
    expect(text).toBe("x".repeat(32));
    await expect.poll(() => simulator.requests[0]?.done).toBe(true);
    expect(simulator.requests[0]).toMatchObject({ aborted: true, status: 200 });
  });

  it("the client retries an overloaded server", async () => {
    simulator.script([{ reply: { fault: "overloaded", retryAfter: 0 } }, { reply: { text: "Here." } }]);
    const { text } = await generateText({ model: model(), prompt: "Go", maxRetries: 1 });
    expect(text).toBe("Here.");
    expect(simulator.requests.map(({ status }) => status)).toEqual([503, 200]);
  });

  it.each(["generated", "streamed"])("a prompt that is too large is the provider's error, %s", async (how) => {
    simulator.script([{ reply: { fault: "context_limit" } }]);
    const options = { model: model(), prompt: "Go", maxRetries: 0 };
    const thrown: unknown[] = [];
    if (how === "generated") await generateText(options).catch((error: unknown) => thrown.push(error));
    else {
      const result = streamText({ ...options, onError: ({ error }) => thrown.push(error) });
      for await (const part of result.stream) if (part.type === "error") expect(part.error).toBeDefined();
    }
    const [error] = thrown;
    const text = error instanceof Error ? error.message : JSON.stringify(error);
    expect(text).toMatch(api === "chat" ? /maximum context length is 1 tokens/ : /exceeds the context window/);
  });

  it("a wrong key is rejected", async () => {
    const error = await generateText({
      model: model(),
      prompt: "Go",
      headers: { authorization: "Basic x" },
      maxRetries: 0,
    }).catch((thrown: unknown) => thrown);
    expect(APICallError.isInstance(error) && error.statusCode).toBe(401);
  });

  it("an error event in the middle of a stream reaches the client as such", async () => {
    simulator.script([{ reply: { text: "x".repeat(64), interrupt: { after: 1, by: "error" } } }]);
    const result = streamText({ model: model(), prompt: "Go", maxRetries: 0, onError: () => {} });
    const parts = await Array.fromAsync(result.stream);
    expect(JSON.stringify(parts.find(({ type }) => type === "error"))).toContain("overloaded");
  });

  it.each<[string, object, string]>([
    ["a truncated message", { text: "half", truncated: true }, "length"],
    ["an empty message", {}, "stop"],
  ])("%s ends with its own stop reason", async (_, reply, reason) => {
    simulator.script([{ reply }]);
    expect((await generateText({ model: model(), prompt: "Go" })).finishReason).toBe(reason);
    simulator.script([{ reply }]);
    expect(await streamText({ model: model(), prompt: "Go" }).finishReason).toBe(reason);
  });

  it("malformed input of a call arrives as it was sent", async () => {
    simulator.script([{ reply: { calls: [{ name: "weather", rawInput: '{"place": "Ro' }] } }]);
    const result = streamText({ model: model(), tools: { weather }, prompt: "Go" });
    const [call] = await result.toolCalls;
    expect(call).toMatchObject({ invalid: true, input: '{"place": "Ro' });
  });
});

it("models without breakpoints cache automatically, in steps of tokens, and charge nothing for writing", async () => {
  simulator.script([{ reply: { text: "ok" }, times: 2 }]);
  const ask = (prompt: string) => generateText({ model: openai.chat("gpt-4.1"), system: "s".repeat(2_000), prompt });
  await ask("one");
  const { usage } = await ask("two");
  expect(usage.inputTokenDetails).toMatchObject({ cacheReadTokens: 1_920, cacheWriteTokens: undefined });
});

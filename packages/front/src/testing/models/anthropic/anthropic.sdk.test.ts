/** Tests the simulated Messages API with conversations of Anthropic's own, unmodified client. */
import { type AnthropicProvider, createAnthropic } from "@ai-sdk/anthropic";
import { APICallError, generateText, isStepCount, jsonSchema, type ModelMessage, streamText, tool } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ModelSimulator } from "../model-simulator.ts";

let simulator: ModelSimulator;
let anthropic: AnthropicProvider;
let now = 0;

beforeEach(async () => {
  now = 1_000_000;
  simulator = await ModelSimulator.start({ countTokens: (text) => text.length, clock: { now: () => now } });
  anthropic = createAnthropic({ baseURL: simulator.baseUrl, apiKey: "key" });
});
afterEach(() => simulator.close());

const model = () => anthropic("claude-sonnet-4-5");
const marked = { anthropic: { cacheControl: { type: "ephemeral" } } };
const weather = tool({
  description: "The weather of a place",
  inputSchema: jsonSchema<{ place: string }>({
    type: "object",
    properties: { place: { type: "string" } },
    required: ["place"],
  }),
  execute: async ({ place }) => `sun in ${place}`,
});

describe("a streamed conversation", () => {
  it("streams thinking, text and several calls with their ids, and accepts the results", async () => {
    simulator.script([
      {
        reply: {
          thinking: "Two places are asked for.",
          text: "I look at both places.",
          calls: [
            { id: "toolu_a", name: "weather", input: { place: "Rome" } },
            { id: "toolu_b", name: "weather", input: { place: "Oslo" } },
          ],
        },
      },
      { when: ({ toolResults }) => toolResults.length === 2, reply: { text: "Sun in both." } },
    ]);
    const result = streamText({ model: model(), tools: { weather }, stopWhen: isStepCount(4), prompt: "Weather?" });
    const parts = await Array.fromAsync(result.stream);
    expect(await result.text).toBe("Sun in both.");
    const [first] = await result.steps;
    expect(first?.reasoningText).toBe("Two places are asked for.");
    expect(first?.text).toBe("I look at both places.");
    expect(first?.toolCalls.map(({ toolCallId, input }) => [toolCallId, input])).toEqual([
      ["toolu_a", { place: "Rome" }],
      ["toolu_b", { place: "Oslo" }],
    ]);
    expect(first?.finishReason).toBe("tool-calls");
    expect(parts.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(2);
    expect(simulator.requests[1]?.request?.toolResults).toEqual([
      { id: "toolu_a", text: "sun in Rome" },
      { id: "toolu_b", text: "sun in Oslo" },
    ]);
    expect(simulator.remaining).toEqual([]);
  });
});

describe("the prompt cache", () => {
  const system = { role: "system" as const, content: "s".repeat(2_000), providerOptions: marked };
  const user = (text: string, isMarked = true): ModelMessage => ({
    role: "user",
    content: [{ type: "text", text, ...(isMarked ? { providerOptions: marked } : {}) }],
  });
  const ask = (messages: ModelMessage[]) =>
    generateText({
      model: model(),
      allowSystemInMessages: true,
      messages: [system, ...messages],
      maxOutputTokens: 100,
    });
  const answer: ModelMessage = { role: "assistant", content: "ok" };

  it("is written at markers, read by the next request, and billed in the client's usage", async () => {
    simulator.script([{ reply: { text: "ok" }, times: 3 }]);
    const first = await ask([user("a".repeat(500)), user("tail", false)]);
    expect(first.usage.inputTokenDetails).toMatchObject({
      cacheReadTokens: 0,
      cacheWriteTokens: 2_500,
      noCacheTokens: 4,
    });
    const second = await ask([user("a".repeat(500)), answer, user("b".repeat(100))]);
    expect(second.usage.inputTokenDetails).toMatchObject({ cacheReadTokens: 2_500, cacheWriteTokens: 102 });
    now += 301_000;
    const cold = await ask([user("a".repeat(500)), user("tail", false)]);
    expect(cold.usage.inputTokenDetails).toMatchObject({ cacheReadTokens: 0, cacheWriteTokens: 2_500 });
  });

  it("reports entries for an hour and for five minutes separately", async () => {
    simulator.script([{ reply: { text: "ok" } }]);
    const hour = { anthropic: { cacheControl: { type: "ephemeral", ttl: "1h" } } };
    const { usage } = await generateText({
      model: model(),
      allowSystemInMessages: true,
      messages: [{ ...system, providerOptions: hour }, user("a".repeat(500))],
    });
    expect(usage.raw).toMatchObject({
      cache_creation: { ephemeral_1h_input_tokens: 2_000, ephemeral_5m_input_tokens: 500 },
    });
  });
});

describe("failures", () => {
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

  it("the client retries an overloaded server, after the time the server gave", async () => {
    simulator.script([
      { reply: { fault: "overloaded", retryAfter: 0 } },
      { reply: { fault: "rate_limited", retryAfter: 0 } },
      { reply: { text: "Here." } },
    ]);
    const { text } = await generateText({ model: model(), prompt: "Go", maxRetries: 2 });
    expect(text).toBe("Here.");
    expect(simulator.requests.map(({ status }) => status)).toEqual([529, 429, 200]);
  });

  it.each<[string, number, string]>([
    ["context_limit", 400, "prompt is too long: 2 tokens > 1 maximum"],
    ["status", 401, "invalid x-api-key"],
  ])("%s arrives as the provider's error", async (fault, status, message) => {
    const reply = fault === "status" ? { fault, status, message } : { fault };
    simulator.script([{ reply: reply as { fault: "context_limit" } }]);
    const error = await generateText({ model: model(), prompt: "Go", maxRetries: 0 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(APICallError.isInstance(error) && [error.statusCode, error.message]).toEqual([status, message]);
  });

  it("a connection that is cut in the middle is an error, not an end", async () => {
    simulator.script([{ reply: { text: "x".repeat(64), interrupt: { after: 2, by: "cut" } } }]);
    const result = streamText({ model: model(), prompt: "Go", maxRetries: 0, onError: () => {} });
    let text = "";
    const read = async () => {
      for await (const part of result.stream) if (part.type === "text-delta") text += part.text;
    };
    await expect(read()).rejects.toThrow("Failed to process successful response");
    expect(text).toBe("x".repeat(32));
    expect(simulator.requests[0]?.aborted).toBe(false);
  });

  it("an error event in the middle of a stream reaches the client as such", async () => {
    simulator.script([{ reply: { text: "x".repeat(64), interrupt: { after: 1, by: "error" } } }]);
    const result = streamText({ model: model(), prompt: "Go", maxRetries: 0, onError: () => {} });
    const parts = await Array.fromAsync(result.stream);
    expect(JSON.stringify(parts.find(({ type }) => type === "error"))).toContain("verloaded");
  });

  it.each<[string, object, string]>([
    ["a truncated message", { text: "half", truncated: true }, "length"],
    ["a refusal", { refusal: "No." }, "content-filter"],
    ["an empty message", {}, "stop"],
  ])("%s ends with its own stop reason", async (_, reply, reason) => {
    simulator.script([{ reply }]);
    const { finishReason } = await generateText({ model: model(), prompt: "Go" });
    expect(finishReason).toBe(reason);
  });

  it("malformed input of a call arrives as it was sent", async () => {
    simulator.script([{ reply: { calls: [{ name: "weather", rawInput: '{"place": "Ro' }] } }]);
    const result = streamText({ model: model(), tools: { weather }, prompt: "Go" });
    const [call] = await result.toolCalls;
    expect(call).toMatchObject({ invalid: true, input: '{"place": "Ro' });
  });
});

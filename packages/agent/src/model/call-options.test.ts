/** Tests the arguments of a provider package, for packages that are not installed here and for unusual streams. */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { make } from "@cairn/testkit/conversation";
import { Timeline } from "@cairn/timeline";
import { expect, it } from "vitest";
import { aiSdkModel } from "./ai-sdk-model.ts";
import type { ModelPart, ModelRequest } from "./model.ts";

const usage = {
  inputTokens: { total: undefined, noCache: 3, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: undefined, text: 5, reasoning: 6 },
};
const finish = (unified: "stop" | "tool-calls" = "stop"): LanguageModelV4StreamPart => ({
  type: "finish",
  finishReason: { unified, raw: undefined },
  usage,
});

function fake(parts: readonly LanguageModelV4StreamPart[], calls: LanguageModelV4CallOptions[] = []): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "amazon-bedrock",
    modelId: "m",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not asked")),
    doStream: async (options) => {
      calls.push(options);
      return { stream: streamOf(parts) };
    },
  };
}

function streamOf(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

function requestOf(system = "Be brief."): ModelRequest {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
  timeline.contribute([
    make.header("turn_1"),
    make.prompt("turn_1", "Hello."),
    ...make.attachment("turn_1", { name: "a.pdf", mime: "application/pdf", base64: "AAAA" }),
  ]);
  timeline.announce([{ type: "react.announce", text: "now" }]);
  return {
    system,
    tools: [{ name: "b.c", description: "d", schema: { type: "object" } }],
    view: timeline.render({ includeAnnounce: true }),
    strategy: "economic",
    ttl: "1h",
    cacheKey: "c",
    maxOutputTokens: 10,
    readBlob: async () => "",
  };
}

async function run(model: LanguageModelV4, request = requestOf()): Promise<ModelPart[]> {
  const limits = { contextTokens: 1_000, maxOutputTokens: 10 };
  const options = { providerOptions: { bedrock: { additional: 1 } } };
  const adapted = aiSdkModel({ model, id: "x", provider: "bedrock", ...limits, ...options });
  return Array.fromAsync(adapted.stream(request, { signal: new AbortController().signal }));
}

it("Bedrock gets its cache points on system and parts, with their lifetimes, and never on the tail", async () => {
  const calls: LanguageModelV4CallOptions[] = [];
  await run(fake([finish()], calls));
  const [call] = calls;
  const point = { providerOptions: { bedrock: { cachePoint: { type: "default", ttl: "1h" } } } };
  expect(call?.prompt[0]).toMatchObject({ role: "system", content: "Be brief.", ...point });
  const user = call?.prompt[1];
  const parts = user?.role === "user" ? user.content : [];
  expect(parts.map((part) => [part.type, part.providerOptions])).toEqual([
    ["text", undefined],
    ["file", point.providerOptions],
    ["text", undefined],
  ]);
  expect(parts[1]).toMatchObject({ filename: "document-1", mediaType: "application/pdf" });
  expect(call?.providerOptions).toEqual({ bedrock: { additional: 1 } });
  expect(call?.tools).toEqual([{ type: "function", name: "b__c", description: "d", inputSchema: { type: "object" } }]);
});

it("a call that is not streamed is returned whole, and a call that the provider ran itself is left out", async () => {
  const parts = await run(
    fake([
      { type: "tool-call", toolCallId: "1", toolName: "b__c", input: '{"x":1}' },
      { type: "tool-input-start", id: "2", toolName: "b__c" },
      { type: "tool-input-end", id: "2" },
      { type: "tool-call", toolCallId: "2", toolName: "b__c", input: "{}" },
      { type: "tool-input-start", id: "3", toolName: "search", providerExecuted: true },
      { type: "tool-input-delta", id: "3", delta: "{}" },
      { type: "tool-call", toolCallId: "3", toolName: "search", input: "{}", providerExecuted: true },
      finish(),
    ]),
  );
  expect(parts).toEqual([
    { type: "call", index: 0, name: "b.c" },
    { type: "params", index: 0, text: '{"x":1}' },
    { type: "call", index: 1, name: "b.c" },
    { type: "params", index: 1, text: "{}" },
    { type: "finish", reason: "calls", usage: { input: 7, output: 11, cacheRead: 4, cacheWrite: 0 } },
  ]);
});

it("an answer that ends without a finish reason is a transient error", async () => {
  await expect(run(fake([{ type: "text-delta", id: "1", delta: "half" }]))).rejects.toMatchObject({
    kind: "transient",
  });
});

it("an answer that fills the context window triggers a compaction", async () => {
  const part: LanguageModelV4StreamPart = {
    type: "finish",
    finishReason: { unified: "length", raw: "model_context_window_exceeded" },
    usage,
  };
  await expect(run(fake([part]))).rejects.toMatchObject({ kind: "context_limit" });
});

it("a request without a system text sends no system text", async () => {
  const calls: LanguageModelV4CallOptions[] = [];
  await run(fake([finish()], calls), requestOf(" "));
  expect(calls[0]?.prompt.map(({ role }) => role)).toEqual(["user"]);
});

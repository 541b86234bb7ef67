/** An Anthropic model as the adapter uses it, connected to a simulator. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { aiSdkModel, type Model } from "@cairn/agent";

export function simulatedModel(baseUrl: string, contextTokens = 200_000, maxOutputTokens = 4_000): Model {
  return aiSdkModel({
    model: (fetch) => createAnthropic({ baseURL: baseUrl, apiKey: "test", fetch })("claude-sonnet-5"),
    id: "anthropic:claude-sonnet-5",
    provider: "anthropic",
    contextTokens,
    maxOutputTokens,
    prices: { input: 3, output: 15, cacheRead: 0.1, cacheWrite: 1.25 },
  });
}

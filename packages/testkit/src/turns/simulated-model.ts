/**
 * An Anthropic model as the adapter uses it, connected to a simulator. The model is sent `flat` history, so that tests
 * find all of it as text.
 */
import { createAnthropic } from "@ai-sdk/anthropic";
import { aiSdkModel, type Model } from "@cairn/agent";
import { FLAT_1 } from "@cairn/timeline";

export function simulatedModel(baseUrl: string, contextTokens = 200_000, maxOutputTokens = 4_000): Model {
  return aiSdkModel({
    model: (fetch) => createAnthropic({ baseURL: baseUrl, apiKey: "test", fetch })("claude-sonnet-5"),
    id: "anthropic:claude-sonnet-5",
    provider: "anthropic",
    lowering: FLAT_1,
    contextTokens,
    maxOutputTokens,
    prices: { input: 3, output: 15, cacheRead: 0.1, cacheWrite: 1.25 },
  });
}

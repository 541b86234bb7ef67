/**
 * Figures as of 2026-11-15.
 *
 * What well-known models hold and cost, as data. Dollars a million tokens; cache figures are multiples of the input
 * price. As published by the providers up to the date below. Models that are not here work too: with the defaults of
 * their provider and without prices.
 */
import type { ProviderId } from "@cairn/timeline";
import type { ModelPrices } from "./model.ts";

export type Vendor = "anthropic" | "openai" | "google" | "openai-compatible";

export interface ModelFacts {
  /** The window, for input and output together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  readonly prices?: ModelPrices;
}

const claudeCache = { cacheRead: 0.1, cacheWrite: 1.25, cacheWriteLong: 2 };
const claude5 = { contextTokens: 1_000_000, maxOutputTokens: 128_000 };
const gpt6 = { contextTokens: 1_050_000, maxOutputTokens: 128_000 };
const gpt6Long = { longPrompt: { above: 272_000, input: 2, output: 1.5 } };
const gemini = { contextTokens: 1_048_576, maxOutputTokens: 65_536 };

const MODELS: Readonly<Record<Vendor, ReadonlyMap<string, ModelFacts>>> = {
  anthropic: new Map<string, ModelFacts>([
    ["claude-opus-5-5", { ...claude5, prices: { input: 4, output: 20, ...claudeCache, cacheRead: 0.05 } }],
    ["claude-opus-5", { ...claude5, prices: { input: 5, output: 25, ...claudeCache } }],
    ["claude-sonnet-5-5", { ...claude5, prices: { input: 2, output: 10, ...claudeCache } }],
    ["claude-sonnet-5", { ...claude5, prices: { input: 2, output: 10, ...claudeCache } }],
    [
      "claude-haiku-5-5",
      {
        ...claude5,
        prices: { input: 0.1, output: 0.5, ...claudeCache, longPrompt: { above: 100_000, input: 5, output: 5 } },
      },
    ],
    [
      "claude-haiku-4-5",
      { contextTokens: 200_000, maxOutputTokens: 64_000, prices: { input: 1, output: 5, ...claudeCache } },
    ],
  ]),
  openai: new Map<string, ModelFacts>([
    ["gpt-6.1-sol", { ...gpt6, prices: { input: 2, output: 10, cacheRead: 0.05, cacheWrite: 1.25, ...gpt6Long } }],
    ["gpt-6.1-terra", { ...gpt6, prices: { input: 1, output: 5, cacheRead: 0.05, cacheWrite: 1.25, ...gpt6Long } }],
    ["gpt-6-sol", { ...gpt6, prices: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 1.25, ...gpt6Long } }],
    ["gpt-6-luna", { ...gpt6, prices: { input: 0.1, output: 0.5, cacheRead: 0.1, cacheWrite: 1.25, ...gpt6Long } }],
    ["gpt-5.6-terra", { ...gpt6, prices: { input: 2, output: 12, cacheRead: 0.1, cacheWrite: 1.25, ...gpt6Long } }],
    [
      "gpt-4.1",
      {
        contextTokens: 1_047_576,
        maxOutputTokens: 32_768,
        prices: { input: 2, output: 8, cacheRead: 0.25, cacheWrite: 1 },
      },
    ],
  ]),
  google: new Map<string, ModelFacts>([
    // Launch prices: they double on 2026-12-01 and 2027-01-01.
    ["gemini-4-argon", { ...gemini, prices: { input: 2, output: 10, cacheRead: 0.05, cacheWrite: 1 } }],
    ["gemini-3.8-flash", { ...gemini, prices: { input: 0.75, output: 3.75, cacheRead: 0.1, cacheWrite: 1 } }],
  ]),
  "openai-compatible": new Map(),
};

/** Small enough for most models of a provider. */
const DEFAULTS: Readonly<Record<Vendor, ModelFacts>> = {
  anthropic: { contextTokens: 200_000, maxOutputTokens: 32_000 },
  openai: { contextTokens: 128_000, maxOutputTokens: 16_384 },
  google: { contextTokens: 1_000_000, maxOutputTokens: 8_192 },
  "openai-compatible": { contextTokens: 32_768, maxOutputTokens: 4_096 },
};

/** A dated snapshot (`-20251001`, `-2026-03-05`) is the model it is a snapshot of. */
export function factsOf(vendor: Vendor, model: string): ModelFacts {
  const models = MODELS[vendor];
  return models.get(model) ?? models.get(model.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, "")) ?? DEFAULTS[vendor];
}

/** Whose cache rules a model follows. OpenAI's explicit breakpoints begin with GPT-5.6; older models refuse them. */
export function cacheRulesOf(vendor: Vendor, model: string): ProviderId {
  if (vendor === "anthropic") return "anthropic";
  const version = vendor === "openai" ? /^gpt-(\d{1,3})(?:\.(\d{1,3}))?(?![\d.a-z])/.exec(model) : null;
  if (version === null) return "automatic";
  const [major, minor] = [Number(version[1]), Number(version[2] ?? 0)];
  return major > 5 || (major === 5 && minor >= 6) ? "openai" : "automatic";
}

/** OpenAI's own models, through its Responses API. */
import { FLAT_1, NATIVE_1 } from "@cairn/timeline";
import { optional, setting, urlOf } from "./environment.ts";
import type { ModelFacts, OutputRule, Provider } from "./provider.ts";

// Windows and prices: https://platform.openai.com/docs/pricing, as of 2026-11-15.
// Dollars per million tokens; cache figures are multiples of the input price.
const gpt6 = { contextTokens: 1_050_000, maxOutputTokens: 128_000 };
const long = { longPrompt: { above: 272_000, input: 2, output: 1.5 } };

const models = new Map<string, ModelFacts>([
  ["gpt-6.1-sol", { ...gpt6, prices: { input: 2, output: 10, cacheRead: 0.05, cacheWrite: 1.25, ...long } }],
  ["gpt-6.1-terra", { ...gpt6, prices: { input: 1, output: 5, cacheRead: 0.05, cacheWrite: 1.25, ...long } }],
  ["gpt-6-sol", { ...gpt6, prices: { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 1.25, ...long } }],
  ["gpt-6-luna", { ...gpt6, prices: { input: 0.1, output: 0.5, cacheRead: 0.1, cacheWrite: 1.25, ...long } }],
  ["gpt-5.6-terra", { ...gpt6, prices: { input: 2, output: 12, cacheRead: 0.1, cacheWrite: 1.25, ...long } }],
  [
    "gpt-4.1",
    {
      contextTokens: 1_047_576,
      maxOutputTokens: 32_768,
      prices: { input: 2, output: 8, cacheRead: 0.25, cacheWrite: 1 },
    },
  ],
]);

// Strict schemas: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas (2026-11-16).
const STRICT: OutputRule = {
  keywords: new Set([
    ...["type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "title"],
    ...["description", "pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum"],
    ...["exclusiveMaximum", "minItems", "maxItems"],
  ]),
  closed: true,
  allRequired: true,
};

export const openai: Provider = {
  name: "openai",
  package: "@ai-sdk/openai",
  create: "createOpenAI",
  keys: ["OPENAI_API_KEY"],
  baseUrl: "OPENAI_BASE_URL",
  needs: "`OPENAI_API_KEY`",
  settings: (env) => ({
    ...optional("apiKey", setting(env, "OPENAI_API_KEY")),
    ...optional("baseURL", urlOf(env, "OPENAI_BASE_URL")),
  }),
  flat: FLAT_1,
  native: NATIVE_1,
  lowering: () => "native",
  // Encrypted reasoning is sent back with the items it led to, because OpenAI stores nothing (`store: false`):
  // https://platform.openai.com/docs/guides/reasoning (2026-11-16). OpenAI refuses the reasoning of another model.
  keepsReasoning: () => true,
  models,
  defaults: { contextTokens: 128_000, maxOutputTokens: 16_384 },
  cacheRules,
  // https://platform.openai.com/docs/api-reference/responses/create, as of 2026-11-15.
  toolNames: { maxLength: 64, startsWithAny: true },
  // https://github.com/langchain-ai/langchainjs/issues/9804 (2026-01-14).
  refusedAtRoot: ["anyOf", "oneOf", "allOf", "enum", "not"],
  // https://github.com/digitalocean-labs/mcp-digitalocean/issues/265 (2026-02-14).
  schemas: () => ({ needsItems: true }),
  // Supported by GPT-4o and newer models, according to the page on strict schemas above.
  output: (model) => (/^(?:gpt-3|gpt-4(?:-|$)|o1-(?:mini|preview))/.test(model) ? null : STRICT),
  // Reasoning is readable only as a summary, and only on request. A budget cannot be set:
  // https://platform.openai.com/docs/guides/reasoning, as of 2026-11-16.
  reasoning: ({ effort, budgetTokens }) => ({
    options: effort === undefined || effort === "none" ? {} : { openai: { reasoningSummary: "auto" } },
    leftOut: budgetTokens === undefined ? [] : ["reasoning.budget_tokens (OpenAI's models take an effort only)"],
  }),
  // 500 pictures and 50 MB a request: https://platform.openai.com/docs/guides/images-vision (2026-11-16). A quarter of
  // the request is left to text and tools.
  files: { count: 500, base64: 37.5 * 1_024 * 1_024 },
  refusedFiles: [],
  contextLimit: [
    // The error code of OpenAI, Groq and vLLM.
    /context[_ ]length[_ ]exceeded/i,
    /exceeds? the (?:model's )?context (?:window|length|limit)/i,
    /string too long\. Expected a string with maximum length/i,
    // The message for a single request that exceeds the tokens per minute. Groq sends the same message.
    /request too large for/i,
    // DeepSeek, vLLM, OpenRouter and Mistral use the same message.
    /maximum context length/i,
  ],
};

/** Explicit breakpoints are supported from GPT-5.6 on; older models reject them. */
function cacheRules(model: string): "openai" | "automatic" {
  const version = /^gpt-(\d{1,3})(?:\.(\d{1,3}))?(?![\d.a-z])/.exec(model);
  if (version === null) return "automatic";
  const [major, minor] = [Number(version[1]), Number(version[2] ?? 0)];
  return major > 5 || (major === 5 && minor >= 6) ? "openai" : "automatic";
}

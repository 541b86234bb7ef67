/** Google's Gemini API. */
import { FLAT_1, NATIVE_1 } from "@cairn/timeline";
import { firstOf, optional, urlOf } from "./environment.ts";
import type { ModelFacts, Provider } from "./provider.ts";

const keys = ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"];

// Windows and prices: https://ai.google.dev/gemini-api/docs/pricing, as of 2026-11-15.
// Dollars per million tokens; cache figures are multiples of the input price.
const gemini = { contextTokens: 1_048_576, maxOutputTokens: 65_536 };

const models = new Map<string, ModelFacts>([
  // Introductory prices: they double on 2026-12-01 and 2027-01-01.
  ["gemini-4-argon", { ...gemini, prices: { input: 2, output: 10, cacheRead: 0.05, cacheWrite: 1 } }],
  ["gemini-3.8-flash", { ...gemini, prices: { input: 0.75, output: 3.75, cacheRead: 0.1, cacheWrite: 1 } }],
]);

const KEYWORDS: ReadonlySet<string> = new Set([
  ...["type", "format", "title", "description", "enum", "items", "prefixItems", "minItems", "maxItems", "minimum"],
  ...["maximum", "anyOf", "oneOf", "properties", "additionalProperties", "required", "default"],
]);

export const google: Provider = {
  name: "google",
  package: "@ai-sdk/google",
  create: "createGoogle",
  keys,
  baseUrl: "GOOGLE_GENERATIVE_AI_BASE_URL",
  needs: "`GOOGLE_GENERATIVE_AI_API_KEY`",
  settings: (env) => ({
    ...optional("apiKey", firstOf(env, keys)),
    ...optional("baseURL", urlOf(env, "GOOGLE_GENERATIVE_AI_BASE_URL")),
  }),
  flat: FLAT_1,
  native: NATIVE_1,
  lowering: () => "native",
  // https://ai.google.dev/gemini-api/docs/thought-signatures (2026-11-16).
  keepsReasoning: () => true,
  models,
  defaults: { contextTokens: 1_000_000, maxOutputTokens: 8_192 },
  cacheRules: () => "automatic",
  // A name begins with a letter or an underscore, enforced since Gemini 3.1:
  // https://ai.google.dev/gemini-api/docs/function-calling and https://github.com/dust-tt/dust/pull/28212 (2026-06-30).
  toolNames: { maxLength: 64, startsWithAny: false },
  refusedAtRoot: [],
  // The documented part of JSON Schema (`response_json_schema`). References are replaced by their targets, because no
  // other keyword may stand beside a reference:
  // https://github.com/googleapis/python-genai/blob/main/google/genai/types.py (2026-11-16) and
  // https://github.com/anomalyco/opencode/issues/12295 (2026-02-05).
  schemas: () => ({ keywords: KEYWORDS }),
  // Schema output can be combined with tools from Gemini 3 on: https://ai.google.dev/gemini-api/docs/structured-output
  // (2026-11-16); earlier models refuse the combination: https://github.com/symfony/ai/issues/1777 (2026-03-16).
  output: (model) =>
    /^gemini-(?:[3-9]|\d\d)/.test(model) ? { keywords: KEYWORDS, closed: false, allRequired: false } : null,
  // Thoughts are sent only on request: https://ai.google.dev/gemini-api/docs/thinking, as of 2026-11-16.
  reasoning: ({ effort, budgetTokens }) => ({
    options: {
      google: {
        thinkingConfig: {
          includeThoughts: effort !== "none",
          ...(budgetTokens === undefined ? {} : { thinkingBudget: budgetTokens }),
        },
      },
    },
    leftOut: [],
  }),
  // 3,000 pictures and pages: https://docs.cloud.google.com/vertex-ai/docs/generative-ai/image/image-captioning. 100 MB a
  // request: https://blog.google/innovation-and-ai/technology/developers-tools/gemini-api-new-file-limits. Both read on
  // 2026-11-16. A quarter of the request is left to text and tools.
  files: { count: 3_000, base64: 75 * 1_024 * 1_024 },
  refusedFiles: [],
  contextLimit: [
    /input token count.{0,40} exceeds the maximum number of tokens/i,
    // A message of Vertex AI.
    /input token count is \d+ but model only supports up to/i,
    /request payload size exceeds the limit/i,
  ],
};

/** Anthropic's Messages API. */

import { FLAT_1, isJsonObject } from "@cairn/timeline";
import { optional, setting, urlOf } from "./environment.ts";
import type { AskedReasoning, ModelFacts, Provider } from "./provider.ts";

// Windows and prices: https://platform.claude.com/docs/en/about-claude/pricing, as of 2026-11-15.
// Dollars per million tokens; cache figures are multiples of the input price.
const cache = { cacheRead: 0.1, cacheWrite: 1.25, cacheWriteLong: 2 };
const MIN_BUDGET = 1_024;
/** Output tokens that the largest budget leaves for the answer. */
const MIN_ANSWER = 1_024;
const MB = 1_024 * 1_024;
const claude5 = { contextTokens: 1_000_000, maxOutputTokens: 128_000 };

const models = new Map<string, ModelFacts>([
  ["claude-opus-5-5", { ...claude5, prices: { input: 4, output: 20, ...cache, cacheRead: 0.05 } }],
  ["claude-opus-5", { ...claude5, prices: { input: 5, output: 25, ...cache } }],
  ["claude-sonnet-5-5", { ...claude5, prices: { input: 2, output: 10, ...cache } }],
  ["claude-sonnet-5", { ...claude5, prices: { input: 2, output: 10, ...cache } }],
  [
    "claude-haiku-5-5",
    { ...claude5, prices: { input: 0.1, output: 0.5, ...cache, longPrompt: { above: 100_000, input: 5, output: 5 } } },
  ],
  ["claude-haiku-4-5", { contextTokens: 200_000, maxOutputTokens: 64_000, prices: { input: 1, output: 5, ...cache } }],
]);

export const anthropic: Provider = {
  name: "anthropic",
  package: "@ai-sdk/anthropic",
  create: "createAnthropic",
  keys: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  baseUrl: "ANTHROPIC_BASE_URL",
  needs: "`ANTHROPIC_API_KEY`",
  settings: (env) => ({
    ...(setting(env, "ANTHROPIC_API_KEY") === null
      ? optional("authToken", setting(env, "ANTHROPIC_AUTH_TOKEN"))
      : optional("apiKey", setting(env, "ANTHROPIC_API_KEY"))),
    // By convention the variable contains only the host; the package also needs the version.
    ...optional("baseURL", withVersion(urlOf(env, "ANTHROPIC_BASE_URL"))),
  }),
  flat: FLAT_1,
  lowering: () => "native",
  keepsReasoning,
  // With thinking by a budget, calls without their thinking are refused:
  // https://github.com/anthropics/claude-code/issues/14264 (2025-12-17). A hidden call, a call of another model and a
  // model that drops earlier thinking leave calls without it. Adaptive thinking has no such rule:
  // https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking (2026-11-16).
  refusesNative: thinksByBudget,
  models,
  defaults: { contextTokens: 200_000, maxOutputTokens: 32_000 },
  cacheRules: () => "anthropic",
  // https://platform.claude.com/docs/en/api/messages, as of 2026-11-15.
  toolNames: { maxLength: 64, startsWithAny: true },
  // https://github.com/anthropics/claude-code/issues/5319 (2025-08-07).
  refusedAtRoot: ["anyOf", "oneOf", "allOf"],
  // https://github.com/anthropics/claude-code/issues/79418 (2026-07-20).
  schemas: () => ({ parameterNames: /^[a-zA-Z0-9_.-]{1,64}$/ }),
  // From Claude 4.5 on; objects are closed, and the package moves keywords that are not enforced into descriptions:
  // https://platform.claude.com/docs/en/build-with-claude/structured-outputs (2026-11-16).
  output: (model) =>
    /^claude-(?:haiku|sonnet|opus)-(?:4-[5-9]|[5-9]|\d\d)/.test(model) ? { closed: true, allRequired: false } : null,
  // A budget has at least 1,024 tokens and is smaller than the output:
  // https://platform.claude.com/docs/en/build-with-claude/extended-thinking, as of 2026-11-16. Newer models decide
  // themselves how much they think. For them the package omits a budget and returns a warning.
  reasoning: ({ budgetTokens, maxOutputTokens = Number.POSITIVE_INFINITY }) => {
    if (budgetTokens === undefined) return { options: {}, leftOut: [] };
    const most = Math.max(MIN_BUDGET, maxOutputTokens - MIN_ANSWER);
    const leftOut = [
      ...(budgetTokens < MIN_BUDGET ? [`reasoning.budget_tokens (at least ${MIN_BUDGET} tokens are used)`] : []),
      ...(budgetTokens > most ? [`reasoning.budget_tokens (at most ${most} tokens are used)`] : []),
    ];
    const used = Math.min(most, Math.max(MIN_BUDGET, budgetTokens));
    return { options: { anthropic: { thinking: { type: "enabled", budgetTokens: used } } }, leftOut };
  },
  // 100 pictures and pages: https://github.com/anthropics/claude-code/issues/3397 (2025-07-12). 5 MB of base64 a
  // picture: https://github.com/earendil-works/pi/pull/424 (2026-01-03). 8,000 pixels, and 2,000 in a request with more
  // than 20 pictures, 32 MB a request: https://platform.claude.com/docs/en/build-with-claude/vision (2026-11-16). A
  // quarter of the request is left to text and tools.
  files: {
    count: 100,
    base64: 24 * MB,
    largest: { image: 5 * MB },
    side: 8_000,
    large: { side: 2_000, count: 20 },
  },
  refusedFiles: [],
  contextLimit: [
    /prompt is too long/i,
    /input length and `?max_tokens`? exceed context limit/i,
    // The request has more bytes than the provider accepts.
    /request_too_large|request exceeds the maximum size/i,
  ],
};

/**
 * Opus from 4.5 and Sonnet from 4.6 on keep all earlier thinking. Older models, and Haiku up to 4.5, drop it at the
 * user's content, which the tail of every request is: https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 * (2026-11-16). Thinking is sent only to the model that produced it.
 *
 * From Opus, Sonnet and Haiku 5.5 and Fable and Mythos 5.1 on, thinking is bound to everything before it, and refused or
 * dropped when that has changed: https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
 * (2026-11-16). The tail before it is never sent again, so these models are not sent their thinking.
 */
function keepsReasoning(model: string): boolean {
  const { name, version } = familyOf(model);
  const first = name === "opus" ? 4.05 : name === "sonnet" ? 4.06 : 5;
  const bound = name === "fable" || name === "mythos" ? 5.01 : 5.05;
  return version >= first && version < bound;
}

/** Models up to 4.5 think by a budget only; Opus and Sonnet 4.6 if one is given, later ones never. */
function thinksByBudget(model: string, { effort = "none", budgetTokens, options }: AskedReasoning): boolean {
  const { version } = familyOf(model);
  const { thinking } = options?.anthropic ?? {};
  const isGiven = budgetTokens !== undefined || (isJsonObject(thinking) && thinking.type === "enabled");
  return version < 4.06 ? isGiven || effort !== "none" : version < 4.07 && isGiven;
}

/** The version as a number: 4.05 for 4.5. Unknown names are of no version. */
function familyOf(model: string): { readonly name: string; readonly version: number } {
  const [, name = "", major = 0, minor = 0] = /^claude-([a-z]+)-(\d{1,2})(?:-(\d{1,2}))?(?:-|$)/.exec(model) ?? [];
  return { name, version: Number(major) + Number(minor) / 100 };
}

function withVersion(url: string | null): string | null {
  return url === null || /\/v\d+$/.test(url) ? url : `${url}/v1`;
}

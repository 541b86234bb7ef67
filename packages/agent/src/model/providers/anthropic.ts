/** Anthropic's Messages API. */
import { FLAT_1, isJsonObject, NATIVE_1 } from "@cairn/timeline";
import { CLAUDE_MODELS, fitBudget, keepsThinking, READABLE, takesBudget, thinksByBudget } from "./claude.ts";
import { optional, setting, urlOf } from "./environment.ts";
import type { AskedReasoning, Provider, ReasoningOptions } from "./provider.ts";

const MB = 1_024 * 1_024;

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
    // By convention, the variable contains only the host. The package needs the API version as well.
    ...optional("baseURL", withVersion(urlOf(env, "ANTHROPIC_BASE_URL"))),
  }),
  flat: FLAT_1,
  native: NATIVE_1,
  lowering: () => "native",
  keepsReasoning: keepsThinking,
  // With thinking by a budget, calls without their thinking are refused:
  // https://github.com/anthropics/claude-code/issues/14264 (2025-12-17). Calls that were hidden or that another model
  // made have no thinking, and some models drop earlier thinking. With adaptive thinking, Anthropic accepts such calls:
  // https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking (2026-11-16).
  refusesNative: (model, asked) => thinksByBudget(model, asked, budgetGiven(asked)),
  models: CLAUDE_MODELS,
  defaults: { contextTokens: 200_000, maxOutputTokens: 32_000 },
  cacheRules: () => "anthropic",
  // https://platform.claude.com/docs/en/api/messages, as of 2026-11-15.
  toolNames: { maxLength: 64, startsWithAny: true },
  // https://github.com/anthropics/claude-code/issues/5319 (2025-08-07).
  refusedAtRoot: ["anyOf", "oneOf", "allOf"],
  // https://github.com/anthropics/claude-code/issues/79418 (2026-07-20).
  schemas: () => ({ parameterNames: /^[a-zA-Z0-9_.-]{1,64}$/ }),
  // Claude 4.5 and newer. Objects must set `additionalProperties` to false, and the package moves keywords that are not
  // enforced into descriptions: https://platform.claude.com/docs/en/build-with-claude/structured-outputs (2026-11-16).
  output: (model) =>
    /^claude-(?:haiku|sonnet|opus)-(?:4-[5-9]|[5-9]|\d\d)/.test(model) ? { closed: true, allRequired: false } : null,
  // Newer models decide how much they think. The package converts a budget for some of them only. From Opus 4.7 and
  // Sonnet 5 on, thinking is readable only on request: https://platform.claude.com/docs/en/build-with-claude/thinking
  // and https://github.com/cortexkit/anthropic-auth/pull/100 (2026-06-30). The package requests it if an effort is set.
  reasoning: (asked): ReasoningOptions => {
    const budget = fitBudget(asked);
    if (budget === null) return { options: {}, leftOut: [] };
    if (!takesBudget(asked.model ?? ""))
      return {
        options: { anthropic: { thinking: { type: "adaptive", ...(asked.rules === 1 ? {} : READABLE) } } },
        leftOut: ["reasoning.budget_tokens (only an effort can be set)"],
      };
    const { tokens: budgetTokens, leftOut } = budget;
    return { options: { anthropic: { thinking: { type: "enabled", budgetTokens } } }, leftOut };
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

/** The caller's options for Anthropic's package may ask for a thinking budget too. */
function budgetGiven({ budgetTokens, options }: AskedReasoning): boolean {
  const { thinking } = options?.anthropic ?? {};
  return budgetTokens !== undefined || (isJsonObject(thinking) && thinking.type === "enabled");
}

function withVersion(url: string | null): string | null {
  return url === null || /\/v\d+$/.test(url) ? url : `${url}/v1`;
}

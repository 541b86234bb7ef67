/** Claude models at every provider: context windows, prices, and how their thinking is sent back. */
import type { JsonObject } from "@cairn/timeline";
import type { AskedReasoning, ModelFacts } from "./provider.ts";

// Windows and prices: https://platform.claude.com/docs/en/about-claude/pricing, as of 2026-11-15.
// Dollars per million tokens; cache figures are multiples of the input price.
const cache = { cacheRead: 0.1, cacheWrite: 1.25, cacheWriteLong: 2 };
const claude5 = { contextTokens: 1_000_000, maxOutputTokens: 128_000 };

export const CLAUDE_MODELS: ReadonlyMap<string, ModelFacts> = new Map<string, ModelFacts>([
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

/** The smallest reasoning budget that Claude accepts, and the output tokens that every budget leaves for the answer. */
const MIN_BUDGET = 1_024;
const MIN_ANSWER = 1_024;

/**
 * A budget that a model accepts, and what the user is told about it: at least 1,024 tokens, and smaller than the output
 * (https://platform.claude.com/docs/en/build-with-claude/extended-thinking, 2026-11-16). Null when none was asked for.
 */
export function fitBudget({ budgetTokens, maxOutputTokens = Number.POSITIVE_INFINITY }: AskedReasoning): {
  readonly tokens: number;
  readonly leftOut: readonly string[];
} | null {
  if (budgetTokens === undefined) return null;
  const most = Math.max(MIN_BUDGET, maxOutputTokens - MIN_ANSWER);
  const leftOut = [
    ...(budgetTokens < MIN_BUDGET ? [`reasoning.budget_tokens (at least ${MIN_BUDGET} tokens are used)`] : []),
    ...(budgetTokens > most ? [`reasoning.budget_tokens (at most ${most} tokens are used)`] : []),
  ];
  return { tokens: Math.min(most, Math.max(MIN_BUDGET, budgetTokens)), leftOut };
}

/**
 * Opus from 4.5 and Sonnet from 4.6 on keep all earlier thinking. Older models, and Haiku up to 4.5, drop it at a
 * message of the user, such as the tail: https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 * (2026-11-16). Thinking is sent only to the model that produced it.
 *
 * From Opus, Sonnet and Haiku 5.5 and Fable and Mythos 5.1 on, thinking is valid only with the content before it, and
 * refused or dropped after other content:
 * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks (2026-11-16). The tail before
 * it is never sent again, so these models are not sent their thinking.
 */
export function keepsThinking(model: string): boolean {
  const { name, version } = familyOf(model);
  const first = name === "opus" ? 4.05 : name === "sonnet" ? 4.06 : 5;
  const bound = name === "fable" || name === "mythos" ? 5.01 : 5.05;
  return version >= first && version < bound;
}

/** Whether a model reasons within a budget: models up to 4.5 always, Opus and Sonnet 4.6 if a budget is given. */
export function thinksByBudget(model: string, { effort = "none" }: AskedReasoning, isGiven: boolean): boolean {
  const { version } = familyOf(model);
  return version < 4.06 ? isGiven || effort !== "none" : version < 4.07 && isGiven;
}

/** Asks for readable thinking. Without this option, newer models return only encrypted thinking. */
export const READABLE = { display: "summarized" } as const;

/** Whether a model can be asked to think within a budget. */
export function takesBudget(model: string): boolean {
  return familyOf(model).version < 4.07;
}

/**
 * The request for the least thinking that a model allows, and whether the model then does not think at all. Opus and
 * Sonnet 5.5, Fable and Mythos cannot stop thinking, and Sonnet 5.5 can do with notes between calls
 * (https://platform.claude.com/docs/en/build-with-claude/thinking and `@ai-sdk/anthropic` 4.0.102,
 * `anthropic-model-catalog.ts`, 2026-11-18).
 */
export function leastThinking(model: string): { readonly fields: JsonObject; readonly isOff: boolean } {
  const { name, version } = familyOf(model);
  if (name === "sonnet" && version >= 5.05) return { fields: { thinking: { type: "between_tools" } }, isOff: false };
  const always = name === "fable" || name === "mythos" || (name === "opus" && version >= 5.05);
  return always
    ? { fields: { output_config: { effort: "low" } }, isOff: false }
    : { fields: { thinking: { type: "disabled" } }, isOff: true };
}

/** The version as a number: 4.05 for 4.5. Null for an unknown name. */
function familyOf(model: string): { readonly name: string; readonly version: number } {
  const [, name = "", major = 0, minor = 0] = /^claude-([a-z]+)-(\d{1,2})(?:-(\d{1,2}))?(?:-|$)/.exec(model) ?? [];
  return { name, version: Number(major) + Number(minor) / 100 };
}

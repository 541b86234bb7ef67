/** Converts reasoning settings to options of the provider's package, and lists settings that it cannot convert. */
import type { Provider, ReasoningOptions } from "./providers/provider.ts";
import type { Reasoning } from "./request-settings.ts";

/**
 * Version of the conversion. Receipts record it, so that a past request is rebuilt as it was sent. From 2 on, Claude
 * models that take no budget are asked for readable thinking.
 */
export const REASONING_RULES = 2;

export function askReasoning(
  asked: Reasoning | undefined,
  provider: Pick<Provider, "reasoning">,
  rules = REASONING_RULES,
): ReasoningOptions {
  if (asked === undefined) return { options: {}, leftOut: [] };
  if (provider.reasoning !== undefined) return provider.reasoning({ ...asked, rules });
  return {
    options: {},
    leftOut: asked.budgetTokens === undefined ? [] : ["reasoning.budget_tokens (only an effort can be set)"],
  };
}

/**
 * Converts the reasoning settings of a request to options of the provider's package, and lists the settings it cannot
 * convert.
 */
import type { Provider, ReasoningOptions } from "./providers/provider.ts";
import type { Reasoning } from "./request-settings.ts";

export function askReasoning(asked: Reasoning | undefined, provider: Pick<Provider, "reasoning">): ReasoningOptions {
  if (asked === undefined) return { options: {}, leftOut: [] };
  if (provider.reasoning !== undefined) return provider.reasoning(asked);
  return {
    options: {},
    leftOut: asked.budgetTokens === undefined ? [] : ["reasoning.budget_tokens (only an effort can be set)"],
  };
}

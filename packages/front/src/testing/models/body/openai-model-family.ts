/** Derives rules of the API from a model's name: caches have breakpoints from GPT-5.6 on; older ones are automatic. */
import { PROVIDERS, type ProviderRules } from "@cairn/timeline";

export function cacheRulesOf(model: string): ProviderRules {
  return hasBreakpoints(model) ? PROVIDERS.openai : PROVIDERS.automatic;
}

export function hasBreakpoints(model: string): boolean {
  const [, major, minor = "0"] = /^gpt-(\d+)(?:\.(\d+))?/.exec(model) ?? [];
  return major !== undefined && (Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 6));
}

/** Reasoning models, for which Chat Completions has another field for the token limit. */
export function isReasoning(model: string): boolean {
  return /^(?:o\d|gpt-(?:[5-9]|\d\d))/.test(model) && !/-chat/.test(model);
}

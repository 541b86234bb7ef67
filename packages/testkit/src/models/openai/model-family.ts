/** What a model's name tells about the API: from GPT-5.6 on, caches have breakpoints; before, they are automatic. */
import { PROVIDERS, type ProviderRules } from "@cairn/timeline";
import { refuse } from "./errors.ts";

export function cacheRulesOf(model: string): ProviderRules {
  return hasBreakpoints(model) ? PROVIDERS.openai : PROVIDERS.automatic;
}

export function hasBreakpoints(model: string): boolean {
  const [, major, minor = "0"] = /^gpt-(\d+)(?:\.(\d+))?/.exec(model) ?? [];
  return major !== undefined && (Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 6));
}

/** Models that think before they answer, and name their limit of tokens differently in Chat Completions. */
export function isReasoning(model: string): boolean {
  return /^(?:o\d|gpt-(?:[5-9]|\d\d))/.test(model) && !/-chat/.test(model);
}

interface CacheFields {
  readonly model: string;
  readonly prompt_cache_options?: unknown;
  readonly prompt_cache_retention?: unknown;
}

/** `marked`: place of the first part that carries a breakpoint. */
export function checkCacheFields(body: CacheFields, marked: string | null): void {
  const param = body.prompt_cache_options === undefined ? marked : "prompt_cache_options";
  if (param !== null && !hasBreakpoints(body.model))
    throw refuse(`Unsupported parameter: '${param}' is not supported with this model.`, "unsupported_parameter", param);
  if (body.prompt_cache_options !== undefined && body.prompt_cache_retention != null)
    throw refuse(
      "'prompt_cache_retention' cannot be used together with 'prompt_cache_options'.",
      "invalid_value",
      "prompt_cache_retention",
    );
}

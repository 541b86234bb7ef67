/** Rules of OpenAI for cache settings: caches have breakpoints from GPT-5.6 on; older ones are automatic. */
import type { JsonObject } from "@cairn/timeline";
import { hasBreakpoints } from "../body/openai-model-family.ts";
import type { Rule } from "./rule.ts";

const SOURCE = { source: "https://platform.openai.com/docs/guides/prompt-caching", date: "2026-11-15" };
const MARKED = { prompt_cache_breakpoint: { mode: "explicit" } };

interface CacheFields {
  readonly model: string;
  readonly prompt_cache_options?: unknown;
  readonly prompt_cache_retention?: unknown;
}

/** `markedAt`: position of the first part with a breakpoint. */
export function cacheRules<Body extends CacheFields>(
  markedAt: (body: Body) => string | null,
  bodyWith: (fields: JsonObject, marked: JsonObject) => JsonObject,
): readonly Rule<Body>[] {
  return [
    {
      rule: "Older models take no breakpoints.",
      about: "cache",
      ...SOURCE,
      refuses: (body) => {
        const param = body.prompt_cache_options === undefined ? markedAt(body) : "prompt_cache_options";
        return param === null || hasBreakpoints(body.model)
          ? null
          : {
              message: `Unsupported parameter: '${param}' is not supported with this model.`,
              code: "unsupported_parameter",
              param,
            };
      },
      example: bodyWith({ model: "gpt-4.1" }, MARKED),
    },
    {
      rule: "Breakpoints and a retention policy exclude each other.",
      about: "cache",
      ...SOURCE,
      refuses: (body) =>
        body.prompt_cache_options !== undefined && body.prompt_cache_retention != null
          ? {
              message: "'prompt_cache_retention' cannot be used together with 'prompt_cache_options'.",
              code: "invalid_value",
              param: "prompt_cache_retention",
            }
          : null,
      example: bodyWith({ prompt_cache_options: { mode: "explicit" }, prompt_cache_retention: "24h" }, {}),
    },
  ];
}

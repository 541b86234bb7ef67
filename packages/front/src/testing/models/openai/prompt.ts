/**
 * A prompt as OpenAI's caches compare it: tools, then items in order, one position per part.
 *
 * Unless the mode is `explicit`, the end of the latest message that allows a breakpoint is a breakpoint, and OpenAI
 * looks for entries at the ends of earlier messages. For models with automatic caches, neither is true. Prompts with
 * different routing keys are assumed to reach different machines.
 */
import type { Breakpoint, CountTokens, JsonObject, ProviderRules, WirePart } from "@cairn/timeline";
import { cacheRulesOf } from "../body/openai-model-family.ts";
import { describePromptBlock, type Prompt, type PromptBlock, textPart } from "../cache/prompt.ts";

export interface PromptPart {
  /** The content of the part, without its cache breakpoint. */
  readonly content: JsonObject;
  readonly parts: readonly WirePart[];
  readonly isMarked: boolean;
}

export interface PromptItem {
  readonly role: string;
  readonly parts: readonly PromptPart[];
  /** Whether the part may end with a breakpoint: true for input, false for the model's output. */
  readonly isInput: boolean;
}

interface CacheSettings {
  readonly model: string;
  readonly prompt_cache_key?: string | undefined;
  readonly prompt_cache_options?: { readonly mode?: "implicit" | "explicit" | undefined } | undefined;
}

export function composePrompt(
  { model, prompt_cache_key, prompt_cache_options }: CacheSettings,
  tools: readonly JsonObject[],
  items: readonly PromptItem[],
  countTokens: CountTokens,
  rules: ProviderRules = cacheRulesOf(model),
): Prompt {
  const blocks = tools.map((content): PromptBlock => {
    const { name, description, parameters: schema } = (content.function ?? content) as JsonObject;
    return {
      kind: "tools",
      content,
      parts: [textPart(JSON.stringify({ name, description, schema }))],
      startsMessage: false,
    };
  });
  const marked = new Set<number>();
  const ends: number[] = [];
  for (const { role, parts, isInput } of items) {
    for (const [nth, { content, parts: inner, isMarked }] of parts.entries()) {
      const startsMessage = nth === 0;
      blocks.push({
        kind: "stable",
        content: startsMessage ? { role, ...content } : content,
        parts: inner,
        startsMessage,
      });
      if (isMarked) marked.add(blocks.length - 1);
    }
    if (isInput && parts.length > 0) ends.push(blocks.length - 1);
  }
  const hasBreakpoints = rules.lookup.kind === "own_breakpoints";
  const isImplicit = hasBreakpoints && prompt_cache_options?.mode !== "explicit";
  const last = isImplicit ? ends.at(-1) : undefined;
  if (last !== undefined) marked.add(last);
  const breakpoints = hasBreakpoints
    ? [...marked].sort((a, b) => a - b).map((i): Breakpoint => ({ i, ttl: "5m" }))
    : [];
  return {
    cache: `${model} ${prompt_cache_key ?? ""}`,
    rules,
    blocks: blocks.map((block) => describePromptBlock(block, countTokens)),
    breakpoints,
    lookups: isImplicit ? ends.slice(0, -1) : [],
  };
}

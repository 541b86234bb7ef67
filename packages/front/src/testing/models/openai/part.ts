/** Reads a part of content, without its cache marker. */
import type { JsonObject, WirePart } from "@cairn/timeline";
import type { PromptPart } from "./prompt.ts";

export function promptPart(part: object, parts: readonly WirePart[]): PromptPart {
  const { prompt_cache_breakpoint, ...content } = part as JsonObject;
  return { content, parts, isMarked: prompt_cache_breakpoint !== undefined };
}

/**
 * Structured output: an answer that matches the JSON Schema of its message. Its text is the JSON, and `meta.output`
 * marks it, so a program that does not know it shows the JSON as the answer.
 */
import type { Json } from "../base/json.ts";
import type { Block } from "./block.ts";

/** The value of an answer; undefined unless the answer is structured output. */
export function structuredOutput({ type, text, meta }: Block): Json | undefined {
  if (type !== "assistant.completion" || meta?.output !== true || text === undefined) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // A block that was imported may contain anything, so its text is parsed without trust.
  }
}

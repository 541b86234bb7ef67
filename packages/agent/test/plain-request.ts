/** A small model request, for tests of models. */
import { make } from "@cairn/testkit/conversation";
import { Timeline } from "@cairn/timeline";
import type { ModelRequest } from "../src/model/model.ts";

/** Counts characters, so that tests need no tokenizer. */
export const countTokens = (text: string) => text.length;

export function plainRequest(): ModelRequest {
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens });
  timeline.contribute([make.header("turn_1"), make.prompt("turn_1", "Hello.")]);
  return {
    system: "Be brief.",
    tools: [],
    view: timeline.render(),
    strategy: "economic",
    ttl: "5m",
    cacheKey: "c",
    maxOutputTokens: 100,
    readBlob: async () => "",
  };
}

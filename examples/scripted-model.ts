/** A model that says what it is told to, one decision after the other: for examples, and for tests of tools. */
import type { Model } from "@cairn/agent";

export type Decision = { readonly say: string } | { readonly call: string; readonly params: object };

export function scriptedModel(decisions: readonly Decision[]): Model {
  const left = [...decisions];
  return {
    id: "scripted",
    provider: "automatic",
    contextTokens: 100_000,
    maxOutputTokens: 4_000,
    async *stream() {
      const decision = left.shift() ?? { say: "That is all." };
      if ("say" in decision) yield { type: "text", text: decision.say };
      else {
        yield { type: "call", index: 0, name: decision.call };
        yield { type: "params", index: 0, text: JSON.stringify(decision.params) };
      }
      const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
      yield { type: "finish", reason: "say" in decision ? "stop" : "calls", usage };
    },
  };
}

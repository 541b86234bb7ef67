/** A model that answers at once, so that only the cost of the server is measured. Its text says when it was written. */
import { type AgentDefinition, defineAgent, type Model } from "@cairn/agent";

/** Number of pieces in which an answer is streamed. */
const PIECES = 5;

export function now(): number {
  return performance.timeOrigin + performance.now();
}

const instantModel: Model = {
  id: "instant",
  provider: "automatic",
  contextTokens: 100_000,
  maxOutputTokens: 4_000,
  async *stream() {
    for (let piece = 0; piece < PIECES; piece++) yield { type: "text", text: `${now()} ` };
    const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 };
    yield { type: "finish", reason: "stop", usage };
  },
};

export const instantAgent: AgentDefinition = defineAgent({
  name: "instant",
  instructions: "Answer at once.",
  model: instantModel,
  tools: [],
});

/** A server whose agent talks to a simulated provider. */
import { type AnyTool, defineAgent, reactTools, resolveModel } from "@cairn/agent";
import { ModelSimulator, type Step } from "@cairn/testkit/models";
import type { ServerBenchOptions } from "./server-bench.ts";
import { order, serveSimulated } from "./simulated-server.ts";

const countTokens = (text: string) => Math.ceil(text.length / 4);

/** `steps`: the script of the provider. */
export async function simulated(
  steps: readonly Step[],
  options: Partial<ServerBenchOptions> = {},
  tools: readonly AnyTool[] = [],
) {
  const simulator = await ModelSimulator.start({ countTokens });
  simulator.script(steps);
  const model = await resolveModel("anthropic:claude-sonnet-5", {
    ANTHROPIC_API_KEY: "test",
    ANTHROPIC_BASE_URL: simulator.baseUrl,
  });
  const agent = defineAgent({
    name: "test",
    instructions: "You help.",
    model,
    tools: [...reactTools(), order, ...tools],
  });
  return serveSimulated(simulator, { agents: [agent], ...options });
}

/** A server whose agent talks to a simulated provider; both end together. */
import { defineTool } from "@cairn/agent";
import type { ModelSimulator } from "@cairn/testkit/models";
import { z } from "zod";
import { ServerBench, type ServerBenchOptions } from "./server-bench.ts";

export interface SimulatedServer extends AsyncDisposable {
  readonly bench: ServerBench;
  readonly simulator: ModelSimulator;
}

export async function serveSimulated(simulator: ModelSimulator, options: ServerBenchOptions): Promise<SimulatedServer> {
  const bench = await ServerBench.open(options);
  return {
    bench,
    simulator,
    [Symbol.asyncDispose]: async () => {
      await bench[Symbol.asyncDispose]();
      await simulator.close();
    },
  };
}

/** A tool whose every call needs approval. */
export const order = defineTool({
  id: "shop.order",
  description: "Orders.",
  params: z.object({ what: z.string() }),
  approval: "always",
  run: async ({ what }) => ({ ok: true, ret: { ordered: what } }),
});

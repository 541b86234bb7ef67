/** Tools for trying the app: one that needs consent, and a slow one that reports its progress. */
import { setTimeout as sleep } from "node:timers/promises";
import { type AnyTool, defineTool } from "@cairn/agent";
import { z } from "zod";

const order = defineTool({
  id: "shop.order",
  description: "Orders something. A person has to agree.",
  params: z.object({ item: z.string(), pieces: z.number() }),
  approval: "always",
  run: async ({ item, pieces }) => ({ ok: true, ret: { ordered: item, pieces } }),
});

const STEPS = 40;

const count = defineTool({
  id: "shop.count",
  description: "Counts the stock, slowly.",
  params: z.object({ ms: z.number() }),
  timeout: 3_600_000,
  run: async ({ ms }, { progress, signal }) => {
    for (let step = 1; step <= STEPS; step++) {
      progress(`${step} of ${STEPS} shelves`);
      await sleep(ms / STEPS, undefined, { signal });
    }
    return { ok: true, ret: { shelves: STEPS } };
  },
});

export const benchTools: readonly AnyTool[] = [order, count];

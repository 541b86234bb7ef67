/** Tools for trying the app: a tool that needs consent, a tool that asks, and a slow tool that reports its progress. */
import { setTimeout as sleep } from "node:timers/promises";
import { type AnyTool, Asking, defineTool } from "@cairn/agent";
import { z } from "zod";

const order = defineTool({
  id: "shop.order",
  description: "Orders something. A person has to agree.",
  params: z.object({ item: z.string(), pieces: z.number() }),
  approval: "always",
  run: async ({ item, pieces }) => ({ ok: true, ret: { ordered: item, pieces } }),
});

const DELIVERY = {
  type: "object",
  properties: {
    street: { type: "string", title: "Street" },
    day: { type: "string", title: "Day", enum: ["monday", "friday"], enumNames: ["Monday", "Friday"] },
    doors: { type: "integer", title: "Doors", default: 2 },
  },
  required: ["street", "day"],
};

const deliver = defineTool({
  id: "shop.deliver",
  description: "Delivers the order. Asks for the address.",
  params: z.object({}),
  run: async (_, { answered }) => {
    if (answered === undefined) return new Asking({ message: "Where to?", form: DELIVERY }, null);
    return { ok: true, ret: { action: answered.action, ...answered.content } };
  },
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

export const benchTools: readonly AnyTool[] = [order, deliver, count];

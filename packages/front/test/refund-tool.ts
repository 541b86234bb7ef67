/** Refunds of orders of two tenants. */
import { z } from "zod";
import { type ToolCall, tool } from "../src/define/tool.ts";

const ORDERS: Readonly<Record<string, { readonly tenant: string; readonly cents: number }>> = {
  A1: { tenant: "acme", cents: 4_200 },
  G1: { tenant: "globex", cents: 99 },
};

function findOrder(id: string, { tenant }: ToolCall["scope"]) {
  const found = ORDERS[id];
  return found?.tenant === tenant ? found : undefined;
}

/** Makes a refund, trusting only the scope of the call. */
export function refundTool(seen: ToolCall[] = []) {
  return tool({
    name: "refund",
    description: "Refunds an order.",
    input: z.object({ order: z.string(), tenant: z.string().optional() }),
    approval: ({ order }, { scope }) => (findOrder(order, scope)?.cents ?? 0) > 1_000,
    run: ({ order }, call) => {
      seen.push(call);
      const found = findOrder(order, call.scope);
      if (found === undefined) throw new Error(`There is no order ${order}.`);
      return { ok: false, refunded: found.cents };
    },
  });
}

export const refund = (order: string, more: object = {}) => ({ call: "refund", input: { order, ...more } });

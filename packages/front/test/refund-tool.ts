/** Refunds of orders of two tenants. */
import { z } from "zod";
import { type ToolCall, tool } from "../src/define/tool.ts";

const ORDERS: Readonly<Record<string, { readonly tenant: string; readonly cents: number }>> = {
  A1: { tenant: "acme", cents: 4_200 },
  G1: { tenant: "globex", cents: 99 },
};

/** Makes a refund, trusting only the scope of the call. */
export function refundTool(seen: ToolCall[] = []) {
  return tool({
    name: "refund",
    description: "Refunds an order.",
    input: z.object({ order: z.string(), tenant: z.string().optional() }),
    approval: ({ order }) => (ORDERS[order]?.cents ?? 0) > 1_000,
    run: ({ order }, call) => {
      seen.push(call);
      const found = ORDERS[order];
      if (found?.tenant !== call.scope.tenant) throw new Error(`There is no order ${order}.`);
      return { ok: false, refunded: found.cents };
    },
  });
}

export const refund = (order: string, more: object = {}) => ({ call: "refund", input: { order, ...more } });

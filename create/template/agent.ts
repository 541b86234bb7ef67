/** The agent. Edit its instructions and tools; the tests in agent.test.ts need no model and no network. */
import { type AgentOptions, agent, tool } from "cairn-agent";
import { z } from "zod";

const ORDERS: Readonly<Record<string, { readonly status: string; readonly cents: number }>> = {
  A1: { status: "delivered", cents: 4_200 },
  B2: { status: "on its way", cents: 900 },
};

const orderStatus = tool({
  name: "order_status",
  description: "Tells the status of an order.",
  input: z.object({ order: z.string() }),
  run: ({ order }) => ORDERS[order] ?? { status: "unknown" },
});

const refund = tool({
  name: "refund",
  description: "Refunds an order.",
  input: z.object({ order: z.string() }),
  // A person approves refunds of more than ten euros before they run.
  approval: ({ order }) => (ORDERS[order]?.cents ?? 0) > 1_000,
  run: ({ order }) => {
    const found = ORDERS[order];
    if (found === undefined) throw new Error(`There is no order ${order}.`);
    return { refunded: found.cents };
  },
});

/** The default is the offline model: a set of rules that needs no key. It answers, and calls none of your tools. */
export function makeAgent(model: AgentOptions["model"] = process.env.CAIRN_MODEL ?? "offline") {
  return agent({
    name: "support",
    model,
    instructions: "You help the customers of a shop.",
    tools: [orderStatus, refund],
  });
}

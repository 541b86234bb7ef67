import { createHandler } from "@cairn/server/handler";
import { agent, createCairn, type Scope, tool } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { z } from "zod";

const LIMIT = 1_000;
/** Conversations in which a refund waits. A real application keeps them in its database. */
const waiting = new Map<string, Scope>();

const refund = tool({
  name: "refund",
  description: "Refunds an order, in cents.",
  input: z.object({ order: z.string(), cents: z.number() }),
  approval: ({ cents }) => cents > LIMIT,
  run: ({ cents }) => ({ refunded: cents }),
});
const support = agent({
  name: "support",
  model: scriptedModel([{ call: "refund", input: { order: "A1", cents: 4_200 } }, { say: "A1 is refunded." }]),
  instructions: "You help customers.",
  tools: [refund],
  hooks: {
    // Runs before a person is asked for the approval.
    beforeTool: ({ tool: name, params, conversation, scope }) => {
      if (name === "refund" && Number(params.cents) > LIMIT) waiting.set(conversation, scope);
      return undefined;
    },
  },
});
const cairn = await createCairn({ agents: [support] });

// Customers use the API, and cannot approve their own refunds.
const ada = { tenant: "acme", user: "ada" };
const customers = createHandler(cairn, { authenticate: () => ({ ...ada, approve: false }) });
const text = "Refund A1, please.";
const body = { id: "chat-1", messages: [{ id: "m1", role: "user", parts: [{ type: "text", text }] }] };
const headers = { "content-type": "application/json" };
const sent = new Request("http://shop.example/api/chat", { method: "POST", headers, body: JSON.stringify(body) });
await (await customers.fetch(sent)).text();

// The page of your staff lists the calls that wait, and approves or refuses them.
for (const [id, scope] of waiting) {
  const chat = cairn.conversation(id, scope);
  for (const approval of await chat.approvals()) {
    console.log(scope.user, approval.tool, approval.input);
    await chat.approve(approval, { reason: "Checked by Grace." });
  }
  if ((await chat.approvals()).length === 0) waiting.delete(id);
  console.log((await (await chat.resume())?.result)?.text);
}
await cairn.close();

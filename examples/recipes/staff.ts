import { createHandler } from "@cairn/server/handler";
import { agent, createCairn, tool } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { z } from "zod";

const refund = tool({
  name: "refund",
  description: "Refunds an order.",
  input: z.object({ order: z.string() }),
  approval: true,
  run: ({ order }) => console.log("refunds", order),
});
const model = scriptedModel([{ call: "refund", input: { order: "A1" } }, { say: "Your order is refunded." }]);
const support = agent({ name: "support", model, instructions: "You help customers.", tools: [refund] });
const cairn = await createCairn({ agents: [support] });

/** Replace this with the sessions of your employees. */
async function findEmployee(request: Request) {
  const name = request.headers.get("x-employee");
  return name === null ? null : { name, shop: "acme" };
}

const staff = createHandler(cairn, {
  prefix: "/staff",
  // The tenant comes from the session of the employee. The request names only the customer.
  authenticate: async (request) => {
    const employee = await findEmployee(request);
    const customer = request.headers.get("x-customer");
    return employee === null || customer === null ? null : { tenant: employee.shop, user: customer };
  },
});

// Ada is a customer, and her refund waits.
const chat = cairn.conversation("chat-1", { tenant: "acme", user: "ada" });
await (await chat.send("Refund A1, please.")).result;

// The browser of Grace, an employee, shows the call and approves it with another order.
const headers = { "content-type": "application/json", "x-employee": "grace", "x-customer": "ada" };
const url = "http://shop.example/staff/api/conversations/chat-1";
const { approvals } = await (await staff.fetch(new Request(url, { headers }))).json();
for (const { call_id: call, hash, params } of approvals) {
  const body = JSON.stringify({ approve: true, hash, params: { ...params, order: "A2" } });
  await staff.fetch(new Request(`${url}/approvals/${call}`, { method: "POST", headers, body }));
}
console.log((await (await chat.resume())?.result)?.text);
await cairn.close();

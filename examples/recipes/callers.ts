import { agent, createCairn, tool } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { z } from "zod";

const invoices = new Map([["acme", ["A-1", "A-2"]]]);

const list = tool({
  name: "invoices",
  description: "Lists the invoices of the customer.",
  input: z.object({}),
  context: z.object({ plan: z.enum(["free", "pro"]) }),
  // The scope and the context come from your application. The model can change neither.
  run: (_, { scope, context }) => ({ plan: context.plan, invoices: invoices.get(scope.tenant) ?? [] }),
});

const billing = agent({
  name: "billing",
  model: scriptedModel([{ call: "invoices", input: {} }, { say: "You have two invoices." }]),
  instructions: "You answer questions about invoices.",
  context: z.object({ plan: z.enum(["free", "pro"]) }),
  announce: ({ context }) => `The customer's plan: ${context.plan}`,
  tools: [list],
});

const cairn = await createCairn({ agents: [billing] });
// `user` owns the conversation: another user, or another tenant, cannot open it.
const chat = cairn.conversation("billing-1", { tenant: "acme", user: "ada", context: { plan: "pro" } });
console.log((await (await chat.send("Which invoices do I have?")).result).text);
await cairn.close();

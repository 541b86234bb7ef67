import { agent, createCairn, tool } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { z } from "zod";

const status = tool({
  name: "order_status",
  description: "Tells the status of an order.",
  input: z.object({ order: z.string() }),
  run: ({ order }) => ({ order, status: "on its way" }),
});

/** Looks up the order that the message names, then answers with the result. */
const model = scriptedModel(({ view }) => {
  const blocks = [...view.origins()].map(({ block }) => block);
  const asked = blocks.findLastIndex(({ type }) => type === "user.prompt");
  const result = blocks.slice(asked).find(({ type }) => type === "react.tool.result");
  if (result !== undefined) return { say: `I found ${result.text}.` };
  const [order] = /[A-Z]\d/.exec(blocks[asked]?.text ?? "") ?? [];
  return order === undefined ? { say: "Which order?" } : { call: "order_status", input: { order } };
});

const cairn = await createCairn({
  agents: [agent({ name: "shop", model, instructions: "You help.", tools: [status] })],
});
const chat = cairn.conversation();
for (const text of ["Hello!", "Where is B2?"]) console.log((await (await chat.send(text)).result).text);
await cairn.close();

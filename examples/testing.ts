/** A test of an agent without a network: a scripted model, and the law that keeps the prompt cache working. */
import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { agent, createCairn, tool } from "cairn-agent";
import { scriptedModel, toExtendPrefix } from "cairn-agent/testing";
import { z } from "zod";

test("the agent looks up the price before it answers", async () => {
  const price = tool({
    name: "price",
    description: "The price of an article.",
    input: z.object({ article: z.string() }),
    run: ({ article }) => ({ article, euros: 3 }),
  });
  const model = scriptedModel([{ call: "price", input: { article: "tea" } }, { say: "Three euros." }]);
  const shop = agent({ name: "shop", model, instructions: "You sell tea.", tools: [price] });
  await using cairn = await createCairn({ agents: [shop], store: await mkdtemp(join(tmpdir(), "cairn-test-")) });

  const run = await cairn.conversation().send("How much is tea?");
  const tools = [];
  for await (const part of run) if (part.type === "tool" && part.status === "done") tools.push(part.output);

  assert.deepEqual(tools, [{ article: "tea", euros: 3 }]);
  assert.equal((await run.result).text, "Three euros.");
  const [first, second] = model.requests;
  assert(toExtendPrefix(second?.view, first?.view).pass, "the second request begins with the bytes of the first");
});

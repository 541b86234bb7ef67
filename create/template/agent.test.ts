/** Tests of the agent with a scripted model: `npm test`. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createCairn } from "cairn-agent";
import { type ScriptedStep, scriptedModel } from "cairn-agent/testing";
import { makeAgent } from "./agent.ts";

test("the agent looks up an order before it answers", async (context) => {
  const chat = await startChat(context, [
    { call: "order_status", input: { order: "B2" } },
    { say: "It is on its way." },
  ]);
  const run = await chat.send("Where is B2?");
  const outputs = [];
  for await (const part of run) if (part.type === "tool" && part.status === "done") outputs.push(part.output);
  assert.deepEqual(outputs, [{ status: "on its way", cents: 900 }]);
  assert.equal((await run.result).text, "It is on its way.");
});

test("a large refund waits for approval", async (context) => {
  const chat = await startChat(context, [{ call: "refund", input: { order: "A1" } }, { say: "Refunded." }]);
  const asked = await (await chat.send("Refund A1.")).result;
  assert.equal(asked.exit, "waiting");
  const [approval] = asked.approvals;
  assert(approval);
  await chat.approve(approval);
  assert.equal((await (await chat.resume())?.result)?.text, "Refunded.");
});

/** A conversation in its own store, which is removed after the test. */
async function startChat(context: TestContext, script: readonly ScriptedStep[]) {
  const store = await mkdtemp(join(tmpdir(), "agent-test-"));
  const cairn = await createCairn({ agents: [makeAgent(scriptedModel(script))], store });
  context.after(async () => {
    await cairn.close();
    await rm(store, { recursive: true });
  });
  return cairn.conversation();
}

/**
 * A process is killed in the middle of a turn, and another one finishes it. The first call had an outcome and is not
 * made again. The outcome of the second is unknown, so the model is informed and decides.
 *
 * Without an argument, the program plays both processes: it starts itself as the first one, which dies, and then
 * continues.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { defineAgent, defineTool, openStoreWorkspace, runTurn, thisMachine } from "@cairn/agent";
import { openEmbeddedStore } from "@cairn/store";
import { loadTokenizer, makeEvent } from "@cairn/timeline";
import { type ScriptedDecision, scriptedModel } from "cairn-agent/testing";
import { z } from "zod";

const LEASE_MS = 500;
const key = { tenant: "acme", project: "mail", user: "ada", conversation: "letters" };
const send = (to: string): ScriptedDecision => ({ call: "mail.send", input: { to } });

const [given] = process.argv.slice(2);
const isFirstLife = given !== undefined;
const folder = given ?? (await mkdtemp(join(tmpdir(), "cairn-example-")));

const mail = defineTool({
  id: "mail.send",
  description: "Sends a letter.",
  params: z.object({ to: z.string() }),
  run: async ({ to }) => {
    console.log(`sending to ${to}`);
    if (to === "Grace" && isFirstLife) process.kill(process.pid, "SIGKILL");
    return { ok: true, ret: { sent: to } };
  },
});

if (!isFirstLife) {
  const first = spawnSync(process.execPath, [fileURLToPath(import.meta.url), folder], { stdio: "inherit" });
  console.log(`the first life ended with ${first.signal}`);
  await wait(LEASE_MS); // The lease of the killed process has to expire before another process may write.
}

const model = scriptedModel(isFirstLife ? [send("Alan"), send("Grace")] : [{ say: "Alan has his letter; ask Grace." }]);
const agent = defineAgent({ name: "mail", instructions: "You send letters.", model, tools: [mail] });
const store = await openEmbeddedStore({ dir: folder });
if (isFirstLife) {
  await store.createConversation(key);
  const body = { key: "1", mode: "turn" as const, message: "Write to Alan and Grace.", attachments: [] };
  await store.append(key, [makeEvent("input.received", { ...body, ts: new Date().toISOString() })]);
}
const workspace = await openStoreWorkspace(store, key, join(folder, "out"));
const parts = { agent, store, key, workspace, countTokens: await loadTokenizer(), ...thisMachine() };
await runTurn({ ...parts, leaseMs: LEASE_MS });

const { state } = await store.load(key);
for (const { block } of state.window)
  if (block.type === "react.tool.result" || block.type === "assistant.completion") console.log(block.text);
await store.close();

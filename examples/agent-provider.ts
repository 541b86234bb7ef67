/**
 * The agent of `agent.ts` with a provider's model: set ANTHROPIC_API_KEY, or CAIRN_MODEL and the key for its provider.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  answerApproval,
  defineAgent,
  defineTool,
  openStoreWorkspace,
  reactTools,
  resolveModel,
  runTurn,
  thisMachine,
} from "@cairn/agent";
import { openEmbeddedStore } from "@cairn/store";
import { loadTokenizer, makeEvent } from "@cairn/timeline";
import { z } from "zod";

const order = defineTool({
  id: "shop.order",
  description: "Orders one thing from the shop.",
  params: z.object({ what: z.string() }),
  approval: "always",
  run: async ({ what }) => ({ ok: true, ret: { ordered: what, minutes: 10 } }),
});
const model = await resolveModel(process.env.CAIRN_MODEL ?? "anthropic:claude-sonnet-5", process.env);
const agent = defineAgent({ name: "shop", instructions: "You take orders.", model, tools: [...reactTools(), order] });

const folder = await mkdtemp(join(tmpdir(), "cairn-example-"));
const store = await openEmbeddedStore({ dir: folder });
const key = { tenant: "acme", project: "shop", user: "ada", conversation: "first" };
await store.createConversation(key);
const workspace = await openStoreWorkspace(store, key, join(folder, "out"));
const parts = { agent, store, key, workspace, countTokens: await loadTokenizer(), ...thisMachine() };

const [message, ts] = ["Tea, please.", new Date().toISOString()];
await store.append(key, [makeEvent("input.received", { key: "1", mode: "turn", message, attachments: [], ts })]);
console.log((await runTurn(parts)).status);
for (const asked of (await store.load(key)).state.approvalsRequested.values()) {
  console.log("May I?", asked.params);
  await store.append(key, [makeEvent("approval.given", answerApproval(key, asked, { approve: true, ts }))]);
}
const outcome = await runTurn(parts);
if (outcome.status === "ended") console.log(outcome.end.text);
await store.close();

/** An agent that searches its own folder, reads the files that it found, and cites them. The model is scripted. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineAgent, openStoreWorkspace, reactTools, runTurn, thisMachine } from "@cairn/agent";
import { openEmbeddedStore } from "@cairn/store";
import { loadTokenizer, makeEvent, replaceCitations } from "@cairn/timeline";
import { openSearch, webTools } from "@cairn/tools/web";
import { scriptedModel } from "cairn-agent/testing";

const folder = await mkdtemp(join(tmpdir(), "cairn-example-"));
await mkdir(join(folder, "library"));
await writeFile(join(folder, "library/cairns.md"), "# Cairns\n\nA cairn is a pile of stones that marks a trail.\n");
await writeFile(join(folder, "library/bread.md"), "# Bread\n\nFlour, water, salt and time.\n");

const search = await openSearch(`corpus:${join(folder, "library")}`, { dataDir: join(folder, "data") });
const web = webTools({ search });
const model = scriptedModel([
  { call: "web_tools.web_search", input: { queries: ["what marks a trail?"] } },
  { call: "react.read", input: { paths: ["so:sources_pool[1]"] } },
  { say: "A pile of stones does [[S:1]]." },
]);
const agent = defineAgent({
  name: "reader",
  instructions: "You answer from the library.",
  model,
  tools: [...reactTools(), ...web.tools],
});

const store = await openEmbeddedStore({ dir: join(folder, "data") });
const key = { tenant: "acme", project: "library", user: "ada", conversation: "first" };
await store.createConversation(key);
const [message, ts] = ["What marks a trail?", new Date().toISOString()];
await store.append(key, [makeEvent("input.received", { key: "1", mode: "turn", message, attachments: [], ts })]);
const workspace = await openStoreWorkspace(store, key, join(folder, "out"));
const outcome = await runTurn({
  agent,
  store,
  key,
  workspace,
  countTokens: await loadTokenizer(),
  ...thisMachine(),
});

const { pool } = (await store.load(key)).state;
for (const { sid, title, url } of pool.rows()) console.log(`[S:${sid}] ${title} | ${url}`);
if (outcome.status === "ended") console.log(replaceCitations(outcome.end.text, (sid) => pool.get(sid), "markdown"));
await web.close();
await store.close();

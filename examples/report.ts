/** An agent with every tool writes a report from a folder of texts, as a PDF. The offline model decides: no key needed. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineAgent, offlineModel, openStoreWorkspace, reactTools, runTurn, thisMachine } from "@cairn/agent";
import { openEmbeddedStore } from "@cairn/store";
import { loadTokenizer, makeEvent } from "@cairn/timeline";
import { execTools } from "@cairn/tools/exec";
import { defaultRenderers, renderingTools } from "@cairn/tools/rendering";
import { openSearch, webTools } from "@cairn/tools/web";

const folder = await mkdtemp(join(tmpdir(), "cairn-example-"));
await mkdir(join(folder, "library"));
await writeFile(join(folder, "library/tea.md"), "# Tea\n\nGreen tea is made with water of 80 degrees.\n");
await writeFile(join(folder, "library/water.md"), "# Water\n\nHard water makes tea cloudy.\n");

const web = webTools({ search: await openSearch(`corpus:${join(folder, "library")}`, { dataDir: folder }) });
const renderers = defaultRenderers();
const agent = defineAgent({
  name: "writer",
  instructions: "You write reports from the library.",
  model: offlineModel(),
  tools: [...reactTools(), ...web.tools, ...renderingTools({ renderers }), ...execTools({ sandbox: "auto" })],
});

const store = await openEmbeddedStore({ dir: join(folder, "data") });
const key = { tenant: "acme", project: "library", user: "ada", conversation: "first" };
await store.createConversation(key);
const [message, ts] = ["Write a report about making tea with water, as a PDF", new Date().toISOString()];
await store.append(key, [makeEvent("input.received", { key: "1", mode: "turn", message, attachments: [], ts })]);
const workspace = await openStoreWorkspace(store, key, join(folder, "out"));
await runTurn({ agent, store, key, workspace, countTokens: await loadTokenizer(), ...thisMachine() });

const { state } = await store.load(key);
for (const { block } of state.window)
  if (block.type === "react.tool.call") console.log(JSON.parse(block.text ?? "{}").tool_id);
for (const { sid, title, url, artifact_path } of state.pool.rows())
  console.log(`[S:${sid}] ${title} | ${url ?? String(artifact_path).replace(/turn_\w+/, "<turn>")}`);
await Promise.all([web.close(), store.close(), ...renderers.map((renderer) => renderer.close())]);

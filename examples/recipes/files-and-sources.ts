import { defineTool } from "@cairn/agent";
import { agent, createCairn } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { z } from "zod";

/** A tool that finds sources. The model may cite them, and people see them as sources of the answer. */
const search = defineTool({
  id: "handbook.search",
  description: "Searches the handbook.",
  params: z.object({ query: z.string() }),
  run: async ({ query }) => {
    const found = [{ url: "https://example.com/returns", title: "Returns", text: `Returns take 14 days (${query}).` }];
    return (scribe) => {
      const ids = scribe.mergeSources(found);
      scribe.result(JSON.stringify(found.map((source, nth) => ({ sid: ids[nth], ...source }))), "application/json");
    };
  },
});

const model = scriptedModel([
  { call: "handbook.search", input: { query: "returns" } },
  { call: "react.write", input: { path: "files/answer.md", content: "Returns take 14 days.", channel: "canvas" } },
  { say: "Returns take 14 days [[S:2]]." },
]);
const cairn = await createCairn({
  agents: [agent({ name: "desk", model, instructions: "You answer from the handbook.", tools: [search] })],
});

const chat = cairn.conversation();
// Files are paths, or names with their content.
const run = await chat.send("How long do returns take?", { files: [{ name: "order.txt", data: "Order A1" }] });
for await (const part of run) {
  if (part.type === "source") console.log("source:", part.source.title);
  if (part.type === "file") console.log("file:", part.file.path, (await chat.read(part.file.path)).text);
}
console.log((await run.result).sources.map(({ url }) => url));
await cairn.close();

/**
 * Grades 200 documents. Kill the program at any time and start it again with the same folder: finished items stay
 * finished, and the others continue. Each grade costs one call of a tool, which adds a line to `calls.txt`.
 */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { agent, createCairn, tool } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { z } from "zod";

const [folder = ".cairn"] = process.argv.slice(2);
const documents = Array.from({ length: 200 }, (_, nth) => ({ id: `doc-${nth}`, text: `Document ${nth}.` }));

const count = tool({
  name: "count",
  description: "Counts the words of a document.",
  input: z.object({ id: z.string() }),
  run: ({ id }) => {
    appendFileSync(join(folder, "calls.txt"), `${id}\n`);
    return { words: id.length };
  },
});

// The first decision of a turn counts, the second grades.
const model = scriptedModel(({ view }) => {
  const shown = JSON.stringify(view.messages());
  const id = `doc-${/Document (\d+)\./.exec(shown)?.[1]}`;
  return shown.includes("words") ? { say: `${id} is good.` } : { call: "count", input: { id } };
});
const grader = agent({ name: "grader", model, instructions: "Grade the document.", tools: [count], react: false });

await using cairn = await createCairn({ agents: [grader], store: folder });
const results = await cairn.batch(documents, { id: ({ id }) => id, prompt: ({ text }) => text, concurrency: 8 });
console.log(new Set(results.map((result) => result.ok && result.text)).size, "results");

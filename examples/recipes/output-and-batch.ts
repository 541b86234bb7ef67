import { agent, createCairn } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { z } from "zod";

const grade = z.object({ score: z.number().min(0).max(10), reason: z.string() });
const grader = agent({
  name: "grader",
  model: scriptedModel(() => ({ say: '{"score": 7, "reason": "Clear and short."}' })),
  instructions: "You grade essays.",
});
const cairn = await createCairn({ agents: [grader] });

// One value. A value that does not match goes back to the model.
const run = await cairn.conversation().send("Grade this essay: …", { output: grade });
console.log((await run.result).output.score);

// Many values. If the process dies, start it again with the same ids: finished items are not run again.
const essays = [
  { id: "essay-1", text: "…" },
  { id: "essay-2", text: "…" },
];
const results = await cairn.batch(essays, {
  id: ({ id }) => id,
  prompt: ({ text }) => `Grade this essay: ${text}`,
  output: grade,
  concurrency: 4,
});
for (const result of results) console.log(result.id, result.ok ? result.output.score : result.error.message);
await cairn.close();

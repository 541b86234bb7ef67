import { Agent, MemorySession, run, tool } from "@openai/agents";
import { z } from "zod";
import { questions } from "./questions.mjs";

const weather = tool({
  name: "weather",
  description: "Tells the weather in a city.",
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, sky: "clear", degrees: 21 }),
});
const guide = new Agent({ name: "guide", model: "gpt-5.6", instructions: "You help travellers.", tools: [weather] });
const session = new MemorySession();
for (const question of questions) {
  const result = await run(guide, question, { session, stream: true });
  for await (const text of result.toTextStream()) process.stdout.write(text);
  await result.completed;
}

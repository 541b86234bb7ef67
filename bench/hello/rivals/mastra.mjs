import { openai } from "@ai-sdk/openai";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { questions } from "./questions.mjs";

const weather = createTool({
  id: "weather",
  description: "Tells the weather in a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, sky: "clear", degrees: 21 }),
});
const instructions = "You help travellers.";
const guide = new Agent({ id: "guide", name: "guide", model: openai("gpt-5.6"), instructions, tools: { weather } });
const messages = [];
for (const question of questions) {
  messages.push({ role: "user", content: question });
  const result = await guide.stream(messages);
  for await (const text of result.textStream) process.stdout.write(text);
  messages.push(...(await result.response).messages);
}

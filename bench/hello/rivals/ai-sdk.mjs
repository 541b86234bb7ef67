import { openai } from "@ai-sdk/openai";
import { ToolLoopAgent, tool } from "ai";
import { z } from "zod";
import { questions } from "./questions.mjs";

const weather = tool({
  description: "Tells the weather in a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, sky: "clear", degrees: 21 }),
});
const guide = new ToolLoopAgent({ model: openai("gpt-5.6"), instructions: "You help travellers.", tools: { weather } });
const messages = [];
for (const question of questions) {
  messages.push({ role: "user", content: question });
  const result = await guide.stream({ messages });
  for await (const text of result.textStream) process.stdout.write(text);
  messages.push(...(await result.responseMessages));
}

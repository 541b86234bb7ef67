import { MemorySaver } from "@langchain/langgraph";
import { createAgent, tool } from "langchain";
import { z } from "zod";
import { questions } from "./questions.mjs";

const weather = tool(({ city }) => JSON.stringify({ city, sky: "clear", degrees: 21 }), {
  name: "weather",
  description: "Tells the weather in a city.",
  schema: z.object({ city: z.string() }),
});
const systemPrompt = "You help travellers.";
const checkpointer = new MemorySaver();
const guide = createAgent({ model: "openai:gpt-5.6", systemPrompt, tools: [weather], checkpointer });
const options = { streamMode: "messages", configurable: { thread_id: "trip" } };
for (const question of questions)
  for await (const [message] of await guide.stream({ messages: [{ role: "user", content: question }] }, options))
    if (message.type === "ai") process.stdout.write(message.text);

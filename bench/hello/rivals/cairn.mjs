import { agent, createCairn, tool } from "cairn-agent";
import { z } from "zod";
import { questions } from "./questions.mjs";

const weather = tool({
  name: "weather",
  description: "Tells the weather in a city.",
  input: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, sky: "clear", degrees: 21 }),
});
const guide = agent({ name: "guide", model: "openai:gpt-5.6", instructions: "You help travellers.", tools: [weather] });
await using cairn = await createCairn({ agents: [guide] });
const chat = cairn.conversation("trip");
for (const question of questions)
  for await (const part of await chat.send(question)) if (part.type === "text") process.stdout.write(part.text);

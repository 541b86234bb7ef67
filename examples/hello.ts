/** An agent with one tool. The model is scripted; name your own, such as `anthropic:claude-sonnet-5`. */
import { agent, createCairn, tool } from "cairn-agent";
import { z } from "zod";
import { model, questions } from "./hello-script.ts";

const weather = tool({
  name: "weather",
  description: "Tells the weather in a city.",
  input: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, sky: "clear", degrees: 21 }),
});
const guide = agent({ name: "guide", model, instructions: "You help travellers.", tools: [weather] });
await using cairn = await createCairn({ agents: [guide] });
const chat = cairn.conversation("trip");
for (const question of questions)
  for await (const part of await chat.send(question)) if (part.type === "text") process.stdout.write(part.text);

import { agent, createCairn, tool } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";
import { z } from "zod";

const lookUp = tool({
  name: "look_up",
  description: "Looks up a customer.",
  input: z.object({ name: z.string() }),
  // `signal` aborts when the user cancels: pass it to everything that takes long.
  run: async ({ name }, { signal }) => {
    signal.throwIfAborted();
    return { name, card: "4111 1111 1111 1111" };
  },
});

const desk = agent({
  name: "desk",
  model: scriptedModel([{ call: "look_up", input: { name: "Ada" } }, { say: "Ada is a customer." }]),
  // Used in this order when the model fails: "anthropic:claude-sonnet-5", then "openai:gpt-5.5".
  fallback: [scriptedModel([{ say: "The first model is not available." }])],
  instructions: "You look up customers.",
  tools: [lookUp],
  hooks: {
    beforeTurn: ({ scope }) => (scope.user === "mallory" ? { refuse: "Your account is blocked." } : undefined),
    // The model and the journal get this result instead.
    afterTool: ({ tool: name, result }) =>
      name === "look_up" && result !== null ? { result: { name: "Ada" } } : undefined,
  },
});

const cairn = await createCairn({ agents: [desk] });
const chat = cairn.conversation(undefined, { tenant: "acme", user: "ada" });
const run = await chat.send("Who is Ada?");
const timer = setTimeout(() => void chat.cancel(), 60_000);
for await (const part of run) if (part.type === "tool") console.log(part.name, part.status, part.output);
clearTimeout(timer);
const { exit, text } = await run.result;
console.log(exit, text);
await cairn.close();

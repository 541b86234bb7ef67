import { agent, createCairn } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";

const messages = [
  { role: "system", content: "You are helpful." },
  { role: "user", content: "I am Ada." },
  { role: "assistant", content: "Hello, Ada." },
];

const model = scriptedModel([{ say: "You are Ada." }]);
const cairn = await createCairn({ agents: [agent({ name: "helper", model, instructions: "You are helpful." })] });
const { conversation, losses } = await cairn.import(messages, { tenant: "acme", user: "ada" });
for (const { at, code } of losses) console.log(at, code);
console.log((await (await conversation.send("Who am I?")).result).text);
await cairn.close();

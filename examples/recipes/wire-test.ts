import { agent, createCairn } from "cairn-agent";
import { ModelSimulator } from "cairn-agent/testing/wire";

const provider = await ModelSimulator.start();
provider.script([{ reply: { fault: "overloaded" } }, { reply: { text: "Hello, Ada." } }]);

const cairn = await createCairn({
  agents: [agent({ name: "greeter", model: "anthropic:claude-sonnet-5", instructions: "You greet people." })],
  env: { ANTHROPIC_API_KEY: "any", ANTHROPIC_BASE_URL: provider.baseUrl },
});
const { text } = await (await cairn.conversation().send("I am Ada.")).result;
console.log(
  text,
  provider.requests.map(({ path, status }) => `${path} ${status}`),
);
await cairn.close();
await provider.close();

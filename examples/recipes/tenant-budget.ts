import { agent, CairnError, createCairn } from "cairn-agent";
import { scriptedModel } from "cairn-agent/testing";

const LIMIT = 10;
/** The tokens of each request. A real application keeps them in its database, and adds up those of today. */
const requests = new Map<string, { readonly tenant: string; readonly tokens: number }>();

const support = agent({
  name: "support",
  model: scriptedModel([{ say: "Hello, Ada." }, { say: "Hello, Ben." }]),
  instructions: "You help customers.",
  hooks: {
    beforeTurn: ({ scope }) => {
      const ofTenant = [...requests.values()].filter(({ tenant }) => tenant === scope.tenant);
      const spent = ofTenant.reduce((sum, { tokens }) => sum + tokens, 0);
      return spent >= LIMIT ? { refuse: "Your shop has used its budget." } : undefined;
    },
    afterRequest: ({ scope, turn, decisions, usage }) => {
      // The hook may run again after a crash. The key makes the second run write the same row.
      requests.set(`${turn}/${decisions}`, { tenant: scope.tenant, tokens: usage.input + usage.output });
      return undefined;
    },
  },
});

const cairn = await createCairn({ agents: [support] });
for (const user of ["ada", "ben"]) {
  const run = await cairn.conversation("chat-1", { tenant: "acme", user }).send("Hello!");
  try {
    console.log((await run.result).text);
  } catch (error) {
    if (!CairnError.is(error)) throw error;
    console.log(error.code, error.message);
  }
}
await cairn.close();

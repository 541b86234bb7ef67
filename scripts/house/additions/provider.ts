import { type Addition, script } from "./addition.ts";

export const provider: Addition = {
  what: "a provider",
  newFiles: {
    "packages/agent/src/model/providers/hills.ts": `/** Hills, a company that serves models with OpenAI's chat API. */
import { openaiCompatible } from "./openai-compatible.ts";
import type { Provider } from "./provider.ts";

export const hills: Provider = {
  ...openaiCompatible,
  name: "hills",
  keys: ["HILLS_API_KEY"],
  baseUrl: "HILLS_BASE_URL",
  needs: "\`HILLS_API_KEY\`",
  settings: () => ({ name: "hills", baseURL: "https://models.hills.test/v1" }),
};
`,
  },
  edits: [
    {
      file: "packages/agent/src/model/providers/registry.ts",
      behind: 'import { google } from "./google.ts";\n',
      add: 'import { hills } from "./hills.ts";\n',
    },
    { file: "packages/agent/src/model/providers/registry.ts", behind: "google, openaiCompatible", add: ", hills" },
  ],
  check: {
    args: script(`
      import { resolveModel } from "@cairn/agent";
      console.log((await resolveModel("hills:high-1", { HILLS_API_KEY: "key" })).id);`),
    prints: "hills:high-1",
  },
};

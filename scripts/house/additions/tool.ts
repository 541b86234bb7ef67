import { type Addition, script } from "./addition.ts";

export const tool: Addition = {
  what: "a tool",
  newFiles: {
    "packages/agent/src/react/count.ts": `/** \`react.count\`: counts the characters of a text. */
import { z } from "zod";
import { defineTool } from "../tool/tool.ts";

export const countTool = defineTool({
  id: "react.count",
  description: "Count the characters of a text.",
  params: z.object({ text: z.string() }),
  builtin: true,
  run: async ({ text }) => ({ ok: true, ret: { characters: text.length } }),
});
`,
  },
  edits: [
    {
      file: "packages/agent/src/react/react-tools.ts",
      behind: 'import type { AnyTool } from "../tool/tool.ts";\n',
      add: 'import { countTool } from "./count.ts";\n',
    },
    { file: "packages/agent/src/react/react-tools.ts", behind: "searchFilesTool, ", add: "countTool, " },
  ],
  check: {
    args: script(`
      import { reactTools } from "@cairn/agent";
      console.log(reactTools().map(({ id }) => id).join());`),
    prints: "react.count",
  },
};

import type { Addition } from "./addition.ts";

export const command: Addition = {
  what: "a command",
  newFiles: {
    "packages/cli/src/inspect/where.ts": `/** \`cairn where\`: the data folder. */
import { loadSettings } from "cairn-agent/process";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";

export const where: Command = {
  summary: "print the data folder",
  usage: "where",
  run: async (args, terminal) => {
    readArgs(args, {});
    terminal.stdout.write(\`\${(await loadSettings(terminal)).dataDir}\\n\`);
    return EXIT.ok;
  },
};
`,
  },
  edits: [
    {
      file: "packages/cli/src/commands.ts",
      behind: '  show: async () => (await import("./inspect/show.ts")).show,\n',
      add: '  where: async () => (await import("./inspect/where.ts")).where,\n',
    },
  ],
  check: { args: ["packages/cli/bin/cairn.mjs", "where"], prints: ".cairn" },
};

/** `cairn backup`: copies the whole data folder, in its state at one moment, to a folder that can be used instead. */
import { resolve } from "node:path";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { doLongWork } from "../command/long-work.ts";
import { openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

export const backup: Command = {
  summary: "copy all conversations and their files into a new folder",
  usage:
    "backup <folder> [--json]\n\n  <folder>  a new or empty folder; set CAIRN_DATA_DIR=<folder> to use the backup\n  --json    print the result as one JSON line\n\n  Other processes may keep writing during the backup.",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { json: { type: "boolean" } }, ["<folder>"]);
    const folder = resolve(terminal.cwd, positionals[0] ?? "");
    await using data = await openData(terminal);
    await doLongWork(terminal, "Backing up", (_, signal) => data.store.backup(folder, { signal }));
    if (values.json === true) writeJson(terminal.stdout, { folder });
    else terminal.stderr.write(`Backed up ${data.settings.dataDir} to ${folder}\n`);
    return EXIT.ok;
  },
};

/** `cairn gc`: removes what deleted conversations have left: files, and text in the database's own files. */
import { removeLeftWorkspaces } from "cairn-agent/process";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { describeBytes, doLongWork } from "../command/long-work.ts";
import { openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

export const gc: Command = {
  summary: "remove files that belonged to deleted conversations",
  usage:
    "gc [--vacuum] [--json]\n\n  --vacuum  also rewrite the whole database; needed once after an upgrade from a version that kept deleted text\n  --json    print the result as one JSON line\n\n  A server does this every day. Only files that nothing has referred to for an hour are removed. Other processes may keep writing.",
  run: async (args, terminal) => {
    const { values } = readArgs(args, { vacuum: { type: "boolean" }, json: { type: "boolean" } });
    await using data = await openData(terminal);
    const report = await doLongWork(terminal, "Cleaning up", (_, signal) =>
      data.store.gc({ vacuum: values.vacuum === true, signal }),
    );
    await removeLeftWorkspaces(data.settings.dataDir, data.store);
    const { blobs, bytes, leftovers } = report;
    if (values.json === true) writeJson(terminal.stdout, report);
    else
      terminal.stdout.write(
        `Removed ${blobs} files (${describeBytes(bytes)}) and ${leftovers} unfinished imports, forks and temporary files\n`,
      );
    return EXIT.ok;
  },
};

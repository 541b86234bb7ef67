/** `cairn gc`: removes what deleted conversations have left: files, and text in the database's own files. */
import { type Command, readArgs } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { describeBytes, doLongWork } from "../long-work.ts";
import { openData } from "../open-data.ts";
import { writeJson } from "../terminal.ts";

export const gc: Command = {
  summary: "remove the bytes of deleted conversations",
  usage:
    "gc [--vacuum] [--json]\n\n  --vacuum  also write the whole database anew; needed once after an upgrade from a version that kept deleted text\n  --json    what was removed as one JSON line\n\n  A server does this every day. Only what nothing has referred to for an hour is removed. Others may go on writing meanwhile.",
  run: async (args, terminal) => {
    const { values } = readArgs(args, { vacuum: { type: "boolean" }, json: { type: "boolean" } });
    await using data = await openData(terminal);
    const report = await doLongWork(terminal, "Cleaning up", (_, signal) =>
      data.store.gc({ vacuum: values.vacuum === true, signal }),
    );
    const { blobs, bytes, leftovers } = report;
    if (values.json === true) writeJson(terminal.stdout, report);
    else terminal.stdout.write(`${blobs} files (${describeBytes(bytes)}) and ${leftovers} leftovers removed\n`);
    return EXIT.ok;
  },
};

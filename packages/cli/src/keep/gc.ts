/** `cairn gc`: removes bytes that nothing refers to any more, such as those of deleted conversations. */
import { type Command, readArgs } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { describeBytes, doLongWork } from "../long-work.ts";
import { openData } from "../open-data.ts";
import { writeJson } from "../terminal.ts";

export const gc: Command = {
  summary: "remove the bytes of deleted conversations",
  usage:
    "gc [--json]\n\n  --json  what was removed as one JSON line\n\n  Only what nothing has referred to for an hour is removed. Others may go on writing meanwhile.",
  run: async (args, terminal) => {
    const { values } = readArgs(args, { json: { type: "boolean" } });
    await using data = await openData(terminal);
    const report = await doLongWork(terminal, "Cleaning up", (_, signal) => data.store.gc({ signal }));
    const { blobs, bytes, leftovers } = report;
    if (values.json === true) writeJson(terminal.stdout, report);
    else terminal.stdout.write(`${blobs} files (${describeBytes(bytes)}) and ${leftovers} leftovers removed\n`);
    return EXIT.ok;
  },
};

/** `cairn import`: a conversation from an exported file. */
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { reportImport } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { fileBytes } from "../command/file-bytes.ts";
import { countBytes, doLongWork } from "../command/long-work.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

export const importCommand: Command = {
  summary: "import a conversation from an exported file",
  usage:
    "import <file> [--as <id>] [--json]\n\n  <file>     the file to read, or - for standard input\n  --as <id>  the id of the new conversation (default: the file's name without its extension)",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { as: { type: "string" }, json: { type: "boolean" } }, ["<file>"]);
    const given = positionals[0] ?? "";
    const id = values.as ?? basename(given).replace(/\.[^.]*$/, "");
    if (given === "-" && values.as === undefined)
      throw new CairnError("usage", "--as is missing. Standard input has no file name to take the id from.");
    const { source, size } =
      given === "-" ? { source: terminal.stdin, size: undefined } : await openFile(resolve(terminal.cwd, given));
    await using data = await openData(terminal, { create: true });
    const info = await doLongWork(terminal, "Importing", ({ report }, signal) => {
      const counted = countBytes(source, (done) => report(done, size));
      return data.store.importConversation(keyOf(terminal, id), counted, { signal });
    });
    const closed = await reportImport(data.store, keyOf(terminal, id), info.last_seq);
    if (values.json === true) writeJson(terminal.stdout, { ...info, ...closed });
    else terminal.stdout.write(`${info.conversation}\n`);
    if (closed.closed_turn !== null || closed.dropped_messages > 0)
      terminal.stderr.write(
        `Open calls and turns in the file were closed; none of them will run. Waiting messages dropped: ${closed.dropped_messages}.\n`,
      );
    return EXIT.ok;
  },
};

async function openFile(path: string) {
  const { size } = await stat(path).catch(() => {
    throw new CairnError("not_found", `There is no file ${path}.`);
  });
  return { source: fileBytes(path), size };
}

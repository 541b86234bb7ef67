/** `cairn delete`: permanently deletes a conversation and its files. */
import { rm } from "node:fs/promises";
import { workspaceFolder } from "cairn-agent/process";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT, usageError } from "../command/exit-code.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

export const deleteCommand: Command = {
  summary: "delete a conversation and its files",
  usage: "delete <id> --yes [--json]\n\n  --yes  required, because a deletion cannot be undone",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { yes: { type: "boolean" }, json: { type: "boolean" } }, ["<id>"]);
    const conversation = positionals[0] ?? "";
    await using data = await openData(terminal);
    await data.store.getConversation(keyOf(terminal, conversation));
    if (values.yes !== true) throw usageError(`A deletion cannot be undone. To delete ${conversation}, add --yes.`);
    await data.store.deleteConversation(keyOf(terminal, conversation));
    await rm(workspaceFolder(data.settings.dataDir, keyOf(terminal, conversation)), { recursive: true, force: true });
    if (values.json === true) writeJson(terminal.stdout, { deleted: conversation });
    else terminal.stderr.write(`Deleted ${conversation}.\n`);
    return EXIT.ok;
  },
};

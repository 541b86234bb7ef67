/** `cairn delete`: permanently deletes a conversation and its files, with all versions or only one. */
import { rm } from "node:fs/promises";
import { everyBranch } from "@cairn/store";
import { workspaceFolder } from "cairn-agent/process";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT, usageError } from "../command/exit-code.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

export const deleteCommand: Command = {
  summary: "delete a conversation and its files",
  usage:
    "delete <id> --yes [--branch] [--json]\n\n  --yes     required, because a deletion cannot be undone\n  --branch  only this version; the others stay, with the turns they share",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(
      args,
      { yes: { type: "boolean" }, branch: { type: "boolean" }, json: { type: "boolean" } },
      ["<id>"],
    );
    const conversation = positionals[0] ?? "";
    await using data = await openData(terminal);
    await data.store.getConversation(keyOf(terminal, conversation));
    if (values.yes !== true) throw usageError(`A deletion cannot be undone. To delete ${conversation}, add --yes.`);
    const key = keyOf(terminal, conversation);
    const tree = values.branch !== true;
    const gone = tree ? await Array.fromAsync(everyBranch(data.store, key)) : [{ conversation }];
    await data.store.deleteConversation(key, { tree });
    for (const each of gone) {
      const folder = workspaceFolder(data.settings.dataDir, keyOf(terminal, each.conversation));
      await rm(folder, { recursive: true, force: true });
    }
    if (values.json === true) writeJson(terminal.stdout, { deleted: conversation });
    else terminal.stderr.write(`Deleted ${conversation}.\n`);
    return EXIT.ok;
  },
};

/** `cairn quarantine`: turns that crashed the processes that ran them, to list, release and delete. */
import { rm } from "node:fs/promises";
import { releaseTurn } from "@cairn/agent";
import { workspaceFolder } from "cairn-agent/process";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT, usageError } from "../command/exit-code.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { spellScope } from "../command/scope-option.ts";
import { paint, plainLine, writeJson } from "../command/terminal.ts";

export const quarantine: Command = {
  summary: "list, release or delete turns that crashed the server three times",
  usage: `quarantine [list] [--json]
quarantine release <id> <turn> [--json]
quarantine delete <id> --yes [--json]

  list     lists quarantined turns, of all scopes or of the one that --scope names
  release  sends the message of the turn again, as a new turn
  delete   deletes the conversation and its files; --yes is required, because this cannot be undone`,
  audits: ([action = "list", conversation = null, turn = null]) => ({
    action: `quarantine ${action}`,
    conversation,
    turn,
  }),
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(
      args,
      { json: { type: "boolean" }, yes: { type: "boolean" } },
      args[0] === "release" ? ["release", "<id>", "<turn>"] : args[0] === "delete" ? ["delete", "<id>"] : undefined,
    );
    const [action = "list", id = "", turn = ""] = positionals;
    if (!["list", "release", "delete"].includes(action))
      throw usageError(`Unknown action ${action}. Use list, release or delete.`);
    const { stdout, scope } = terminal;
    await using data = await openData(terminal);
    if (action === "list") {
      for await (const { key, turn_id, closed_at } of data.store.quarantined()) {
        const { tenant, project, user, conversation } = key;
        const named = spellScope(key);
        if (scope !== undefined && spellScope(scope) !== named) continue;
        if (values.json === true) writeJson(stdout, { tenant, project, user, conversation, turn_id, closed_at });
        else
          stdout.write(
            `${plainLine(conversation)}  ${plainLine(turn_id)}  ${paint(stdout, "dim", `${closed_at ?? ""}  --scope ${plainLine(named)}`)}\n`,
          );
      }
      return EXIT.ok;
    }
    const key = keyOf(terminal, id);
    await data.store.getConversation(key);
    if (action === "release") await releaseTurn(data.store, key, turn, Date.now());
    else {
      if (values.yes !== true) throw usageError(`A deletion cannot be undone. To delete ${id}, add --yes.`);
      await data.store.deleteConversation(key);
      await rm(workspaceFolder(data.settings.dataDir, key), { recursive: true, force: true });
    }
    const done = action === "release" ? { released: turn, conversation: id } : { deleted: id };
    if (values.json === true) writeJson(stdout, done);
    else terminal.stderr.write(action === "release" ? `The message of ${turn} was sent again.\n` : `Deleted ${id}.\n`);
    return EXIT.ok;
  },
};

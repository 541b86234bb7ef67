/** `cairn fork`: starts a new conversation from a point in another. */
import { type Command, readArgs, readCount } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

export const fork: Command = {
  summary: "start a new conversation from a point in another",
  usage:
    "fork <id> <new id> [--at <seq>] [--json]\n\n  --at <seq>  the last event to copy (default: all; show --json prints opened_seq and closed_seq of each turn)",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { at: { type: "string" }, json: { type: "boolean" } }, [
      "<id>",
      "<new id>",
    ]);
    const [id = "", target = ""] = positionals;
    await using data = await openData(terminal);
    const { last_seq } = await data.store.getConversation(keyOf(terminal, id));
    const seq = values.at === undefined ? last_seq : readCount("--at", values.at, 0);
    const info = await data.store.fork(keyOf(terminal, id), seq, target);
    if (values.json === true) writeJson(terminal.stdout, info);
    else terminal.stdout.write(`${info.conversation}\n`);
    return EXIT.ok;
  },
};

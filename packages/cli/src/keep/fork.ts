/** `cairn fork`: starts a new conversation as a copy of another one up to a turn. */
import { type Command, readArgs, readCount } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { writeJson } from "../command/terminal.ts";

export const fork: Command = {
  summary: "start a new conversation from a point in another",
  usage:
    "fork <id> <new id> [--at <seq>] [--branch] [--json]\n\n  --at <seq>  the last event to copy (default: all; show --json prints opened_seq and closed_seq of each turn)\n  --branch    make a branch, which shares the events, instead of a copy",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(
      args,
      { at: { type: "string" }, branch: { type: "boolean" }, json: { type: "boolean" } },
      ["<id>", "<new id>"],
    );
    const [id = "", target = ""] = positionals;
    await using data = await openData(terminal);
    const { last_seq } = await data.store.getConversation(keyOf(terminal, id));
    const seq = values.at === undefined ? last_seq : readCount("--at", values.at, 0);
    const key = keyOf(terminal, id);
    const info = await (values.branch === true
      ? data.store.branch(key, seq, target)
      : data.store.fork(key, seq, target));
    if (values.json === true) writeJson(terminal.stdout, info);
    else terminal.stdout.write(`${info.conversation}\n`);
    return EXIT.ok;
  },
};

/** `cairn list`: the conversations, with the most recent first. */

import { type ConversationInfo, everyBranch, everyItem } from "@cairn/store";
import { loadSettings } from "cairn-agent/process";
import { type VersionName, versionNames } from "cairn-agent/turns";
import { type Command, readArgs, readCount } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { hasData, keyOf, openData, scopeOf } from "../command/open-data.ts";
import { spellScope } from "../command/scope-option.ts";
import { paint, plainLine, writeJson } from "../command/terminal.ts";

const MAX_PAGE = 1_000;

export const list: Command = {
  summary: "list conversations, most recent first",
  usage:
    "list [--limit <n>] [--branches <id>] [--json]\n\n  --limit <n>      maximum number of conversations (default: 20)\n  --branches <id>  the versions of this conversation, in the order they were made\n  --json           one JSON line for each",
  run: async (args, terminal) => {
    const { values } = readArgs(args, {
      limit: { type: "string" },
      branches: { type: "string" },
      json: { type: "boolean" },
    } as const);
    const limit = readCount("--limit", values.limit ?? "20", 1);
    const { stdout, stderr } = terminal;
    if (!hasData(await loadSettings(terminal))) {
      stderr.write("No conversations yet. Start one with: cairn chat\n");
      return EXIT.ok;
    }
    await using data = await openData(terminal);
    const print = (info: ListedInfo) => {
      if (values.json === true) writeJson(stdout, info);
      else stdout.write(`${describe(info, (text) => paint(stdout, "dim", text))}\n`);
    };
    if (values.branches !== undefined) {
      const key = keyOf(terminal, values.branches);
      for await (const info of everyBranch(data.store, key)) {
        const names = await versionNames(data.store, { ...key, conversation: info.conversation });
        print({ ...info, names });
      }
      return EXIT.ok;
    }
    let left = limit;
    const read = (place: { readonly cursor?: string }) =>
      data.store.listConversations(scopeOf(terminal), { limit: Math.min(left, MAX_PAGE), ...place });
    for await (const info of everyItem(read)) {
      print(info);
      left--;
      if (left === 0) break;
    }
    if (left === limit) {
      const scope = spellScope(scopeOf(terminal));
      stderr.write(`No conversations of ${scope}. For another user: cairn list --scope <tenant>/<project>/<user>\n`);
    }
    return EXIT.ok;
  },
};

interface ListedInfo extends ConversationInfo {
  /** The names of a branch's versions of turns. */
  readonly names?: readonly VersionName[];
}

function describe(info: ListedInfo, dim: (text: string) => string): string {
  const when = new Date(info.last_activity_at).toISOString().slice(0, 16).replace("T", " ");
  const names = (info.names ?? []).map(({ turn, name }) => `  turn ${turn}: ${plainLine(name)}`).join("");
  const turns = `${info.turns} ${info.turns === 1 ? "turn" : "turns"}`;
  return `${plainLine(info.conversation)}  ${dim(`${when}  ${turns.padStart(8)}`)}  ${plainLine(info.title ?? "")}${dim(names)}`;
}

/** `cairn show`: a conversation as the user sees it. */
import { everyItem, type StoredTurn, type TurnVersions } from "@cairn/store";
import { replaceCitations } from "@cairn/timeline";
import { describeSource } from "../chat/conversation/answer.ts";
import { type Command, readArgs } from "../command/command.ts";
import { EXIT } from "../command/exit-code.ts";
import { keyOf, openData } from "../command/open-data.ts";
import { paint, plainLine, plainText, type Terminal, writeJson } from "../command/terminal.ts";

export const show: Command = {
  summary: "show a conversation as the user sees it",
  usage: "show <id> [--json]\n\n  --json  one JSON line for the conversation and one for each turn",
  run: async (args, terminal) => {
    const { values, positionals } = readArgs(args, { json: { type: "boolean" } }, ["<id>"]);
    await using data = await openData(terminal);
    const key = keyOf(terminal, positionals[0] ?? "");
    const info = await data.store.getConversation(key);
    const { stdout } = terminal;
    if (values.json === true) writeJson(stdout, info);
    else stdout.write(`${paint(stdout, "bold", plainLine(info.title ?? info.conversation))}\n`);
    const versions = new Map((await data.store.versions(key)).map((each) => [each.turn, each]));
    let number = 0;
    for await (const turn of everyItem((place) => data.store.turns(key, place))) {
      if (values.json === true) writeJson(stdout, turn);
      else printTurn(turn, versions.get(++number), terminal);
    }
    return EXIT.ok;
  },
};

/** `versions`: the other versions of the turn, if there are any. */
function printTurn(
  { turn_id, opened_at, exit, view }: StoredTurn,
  versions: TurnVersions | undefined,
  { stdout }: Terminal,
): void {
  const dim = (text: string) => paint(stdout, "dim", text);
  const rows = new Map(view.citations.map((row) => [row.sid, row]));
  const answer = replaceCitations(view.completion?.text ?? "", (sid) => rows.get(sid), "markdown");
  stdout.write(`\n${dim(`${turn_id}  ${opened_at ?? ""}  ${exit ?? "open"}`)}\n`);
  if (versions !== undefined) {
    const { conversations, current } = versions;
    const others = conversations.filter((_, nth) => nth !== current).map(plainLine);
    stdout.write(`${dim(`version ${current + 1}/${conversations.length}; the others: ${others.join(", ")}`)}\n`);
  }
  stdout.write(`${paint(stdout, "cyan", ">")} ${plainText(view.prompt?.text ?? "")}\n`);
  for (const { path } of view.attachments) stdout.write(`${dim(`  ${plainLine(path)}`)}\n`);
  if (answer !== "") stdout.write(`\n${plainText(answer)}\n`);
  const details = [
    ...view.citations.map(describeSource).map(({ sid, title, where }) => `[${sid}] ${title}  ${where}`),
    ...view.files.map(({ path }) => path),
  ];
  if (details.length > 0) stdout.write(`\n${details.map((line) => dim(plainLine(line))).join("\n")}\n`);
}

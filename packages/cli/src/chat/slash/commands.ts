/** Every command of the chat by its name, and the parsing of a line as a command. */
import { CairnError } from "@cairn/timeline";
import { cost } from "./cost.ts";
import { attach, files, reasoning } from "./files.ts";
import { model } from "./model.ts";
import { prompts, runPrompt } from "./prompts.ts";
import type { SlashCommand, SlashContext } from "./slash-command.ts";
import { fork, newCommand, resume } from "./switch.ts";

const quit: SlashCommand = { about: "leave", inPipe: true, run: (context) => context.leave() };

const help: SlashCommand = {
  about: "list the commands and keys",
  run: ({ output }) => {
    const rows = [...SLASH_COMMANDS].map(([name, { argument = "", about }]) => [`${name} ${argument}`.trim(), about]);
    const width = Math.max(...rows.map(([usage = ""]) => usage.length));
    output.print(rows.map(([usage = "", about]) => `${usage.padEnd(width)}  ${about}`));
    output.line(
      "dim",
      "@ and a file name in a message: attach the file. Alt+Enter, Ctrl-J or a backslash at the end of a line: new line. Tab: complete. Up and Down: history. Ctrl-C: clear the line, stop the turn, or leave. Ctrl-D: leave. Ctrl-Z: suspend.",
    );
  },
};

export const SLASH_COMMANDS: ReadonlyMap<string, SlashCommand> = new Map([
  ["/help", help],
  ["/attach", attach],
  ["/files", files],
  ["/model", model],
  ["/cost", cost],
  ["/resume", resume],
  ["/fork", fork],
  ["/new", newCommand],
  ["/prompts", prompts],
  ["/reasoning", reasoning],
  ["/quit", quit],
]);

const ALIASES: Readonly<Record<string, string>> = { "/exit": "/quit" };

/** Runs a line as a command; false if it is a message. An unknown command is an error, except in a pipe. */
export async function runSlashCommand(line: string, context: SlashContext, interactive: boolean): Promise<boolean> {
  const [, name = "", argument = ""] = /^(\/\w+)(?:\s+(.*))?$/s.exec(line) ?? [];
  const command = SLASH_COMMANDS.get(ALIASES[name] ?? name);
  if (command !== undefined && (interactive || command.inPipe === true)) {
    await command.run(context, argument.trim());
    return true;
  }
  if (interactive && (await runPrompt(line, context))) return true;
  // "/etc/hosts is empty" is a message. A single word that begins with "/" is a mistyped command.
  if (!interactive || !/^\/\w+$/.test(line)) return false;
  throw new CairnError("usage", `Unknown command ${name}. There are: ${[...SLASH_COMMANDS.keys()].join(", ")}.`);
}

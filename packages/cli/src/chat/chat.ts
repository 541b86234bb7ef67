/** `cairn chat`: a conversation in a terminal, or one message per line from a pipe. */
import { type Command, readArgs } from "../command/command.ts";
import type { ExitCode } from "../command/exit-code.ts";
import { openData } from "../command/open-data.ts";
import { plainLine, type Terminal } from "../command/terminal.ts";
import { pipedLines } from "./ask/line-source.ts";
import type { BegunChat } from "./begun-chat.ts";
import { ChatSession } from "./chat-session.ts";
import { chooseFile } from "./conversation/attachment.ts";
import { ChatOpener } from "./conversation/open-chat.ts";
import { PlainOutput } from "./show/plain-output.ts";

export const chat: Command = {
  summary: "chat with the agent; continues an interrupted turn",
  usage: `chat [--conversation <id>] [--attach <file>]… [--agent <name>] [--yes] [--json]

  --conversation, -c <id>  continue a conversation; an interrupted turn is finished first
  --attach, -a <file>      attach a file to the first message; may be repeated
  --agent <name>           one of the agents defined in cairn.config.ts
  --yes                    approve every call that asks for approval
  --json                   one JSON line for each answer

  In a pipe, every line is a message, and standard output contains only the answers. A line that opens a code
  block with three backticks extends to the end of the block.
  In a terminal, /help lists the commands and keys. Ctrl-C stops the turn.`,
  run: runChat,
};

async function runChat(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values } = readArgs(args, {
    conversation: { type: "string", short: "c" },
    attach: { type: "string", short: "a", multiple: true },
    agent: { type: "string" },
    yes: { type: "boolean" },
    json: { type: "boolean" },
  });
  const files = [];
  for (const given of values.attach ?? []) files.push(await chooseFile(terminal.cwd, given));

  await using data = await openData(terminal, { create: true });
  const asked = { json: values.json === true, consent: values.yes === true };
  const begin = { terminal, data, agent: values.agent, conversation: values.conversation ?? null, files, ...asked };
  if (isScreen(terminal) && !asked.json) {
    const { runOnScreen } = await import("./run-on-screen.ts");
    return await runOnScreen(begin);
  }
  return await runInPipe(begin);
}

/** A terminal whose cursor can be moved, with a person at its keyboard. */
function isScreen({ stdin, stdout, env }: Terminal): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== "dumb";
}

async function runInPipe({ terminal, data, agent, conversation, files, ...asked }: BegunChat): Promise<ExitCode> {
  const { settings, store } = data;
  const output = new PlainOutput(terminal);
  await using opener = new ChatOpener({ terminal, settings, store, output, agent });
  const open = (id: string | null) => opener.open(id);
  const chat = await open(conversation);
  for (const problem of chat.problems) output.line("dim", plainLine(problem));
  output.line("dim", `Conversation ${chat.key.conversation}`);
  const lines = pipedLines(terminal);
  const ignore = async () => undefined;
  const parts = {
    terminal,
    store,
    output,
    lines,
    open,
    onChange: ignore,
    onModel: ignore,
    interactive: false,
    ...asked,
  };
  return await new ChatSession({ ...parts, model: null }, chat, files).run();
}

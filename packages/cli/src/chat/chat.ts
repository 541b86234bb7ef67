/** `cairn chat`: a conversation in a terminal, or one message per line from a pipe. */
import { checkAgentFits } from "@cairn/agent";
import { CairnError, loadTokenizer } from "@cairn/timeline";
import { newConversationId, openAgent, workspaceFolder } from "cairn-agent/process";
import { type Command, readArgs } from "../command/command.ts";
import type { ExitCode } from "../command/exit-code.ts";
import { keyOf, openData, scopeOf } from "../command/open-data.ts";
import { plainLine, type Terminal } from "../command/terminal.ts";
import { openAdmission } from "./admission.ts";
import { chooseFile } from "./attachment.ts";
import { ChatSession } from "./chat-session.ts";
import { Conversation } from "./conversation.ts";
import { TurnWatcher } from "./watch-turn.ts";

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
  In a terminal: /attach <file>, /files, /reasoning, /quit. Ctrl-C stops the turn; press it twice to quit.`,
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
  const { settings, store } = data;
  const key = keyOf(terminal, values.conversation ?? newConversationId(Date.now()));
  const info = values.conversation === undefined ? null : await findConversation(() => store.getConversation(key), key);
  const named = values.agent ?? (typeof info?.attributes.agent === "string" ? info.attributes.agent : null);
  await using opened = await openAgent(settings, terminal.env, named, { store, owner: scopeOf(terminal) });
  const { agent, problems } = opened;
  const countTokens = await loadTokenizer();
  checkAgentFits(agent, countTokens);
  const folder = workspaceFolder(settings.dataDir, key);

  const interactive = terminal.stdin.isTTY === true && terminal.stdout.isTTY === true && values.json !== true;
  const watcher = new TurnWatcher(terminal, { stream: interactive });
  const told = { listener: watcher.listen, onWait: (reason: string) => watcher.line("dim", reason) };
  const admission = openAdmission(settings, store, opened);
  const conversation = new Conversation({ store, key, agent, admission, folder, countTokens, ...told }, info !== null);
  if (interactive) {
    watcher.line(
      "bold",
      `Cairn, with ${agent.model.id}. /attach <file>, /files, /reasoning, /quit; Ctrl-C stops an answer.`,
    );
    if (info?.title) watcher.line("dim", `Continuing: ${plainLine(info.title)}`);
  }
  for (const problem of problems) watcher.line("dim", plainLine(problem));
  watcher.line("dim", `Conversation ${key.conversation}`);
  const asked = { interactive, json: values.json === true, consent: values.yes === true };
  return await new ChatSession({ terminal, store, key, folder, conversation, watcher, ...asked }).run(files);
}

async function findConversation<T>(find: () => Promise<T>, { conversation }: { readonly conversation: string }) {
  try {
    return await find();
  } catch (error) {
    if (!CairnError.is(error) || error.code !== "not_found") throw error;
    throw new CairnError(
      "not_found",
      `There is no conversation ${conversation}. Run cairn list to see all conversations.`,
    );
  }
}

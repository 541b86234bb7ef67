/** The chat in a terminal: the screen, the input line and the session. */
import { join } from "node:path";
import type { ConversationStore } from "@cairn/store";
import type { Settings } from "cairn-agent/process";
import type { ExitCode } from "../command/exit-code.ts";
import { plainLine } from "../command/terminal.ts";
import type { BegunChat } from "./begun-chat.ts";
import { ChatSession } from "./chat-session.ts";
import { keepChosenModel, readChosenModel } from "./conversation/chosen-model.ts";
import { ChatOpener, type OpenedChat } from "./conversation/open-chat.ts";
import { History } from "./input/history.ts";
import { Meter } from "./screen/meter.ts";
import { ScreenOutput } from "./screen/screen-output.ts";
import { showTurns } from "./screen/show-turns.ts";
import { Tty } from "./screen/tty.ts";
import { TypedLines } from "./screen/typed-lines.ts";
import { SLASH_COMMANDS } from "./slash/commands.ts";
import { promptCommands } from "./slash/prompts.ts";

export async function runOnScreen({
  terminal,
  data,
  agent,
  conversation,
  files,
  consent,
}: BegunChat): Promise<ExitCode> {
  const { settings, store } = data;
  const output = new ScreenOutput(terminal);
  await using opener = new ChatOpener({ terminal, settings, store, output, agent });
  const chat = await opener.open(conversation);
  const warn = (what: string) => (error: unknown) =>
    output.line("yellow", `${what}: ${error instanceof Error ? error.message : error}`);
  const historyFile = join(settings.dataDir, "chat-history");
  const history = await History.open(historyFile, warn("The input history of this session cannot be saved"));
  const model = await chosenModel(chat, settings).catch((error: unknown) => {
    warn("The model that /model chose earlier cannot be used")(error);
    return null;
  });

  const lines = new TypedLines(terminal, {
    output,
    history,
    completion: {
      commands: async () => [...SLASH_COMMANDS.keys(), ...(await promptCommands(session.slashContext()))],
      argumentsOf: async (name) => (await SLASH_COMMANDS.get(name)?.values?.(session.slashContext())) ?? null,
      cwd: terminal.cwd,
      home: terminal.env.HOME,
    },
    onEarly: (line) => session.steer(line),
    onInterrupt: () => session.interrupt(),
    onSuspend: () => tty.suspend(),
  });
  const tty = new Tty(terminal, { onLeave: () => output.screen.close(), onReturn: () => output.screen.open() });
  const open = (id: string | null) => opener.open(id);
  const onChange = (opened: OpenedChat, used: string | null) => showChange(store, output, opened, used);
  const onModel = (used: string | null) =>
    keepChosenModel(settings.dataDir, used).catch(warn("The next chat will not use this model"));
  const parts = { terminal, store, output, lines, open, onChange, onModel, interactive: true, json: false };
  const session = new ChatSession({ ...parts, model, consent }, chat, files);

  output.line("bold", `Cairn, with ${model ?? chat.agent.model.id}. /help lists the commands; Ctrl-C stops an answer.`);
  for (const problem of chat.problems) output.line("dim", plainLine(problem));
  await showChange(store, output, chat, model);
  output.attach(lines);
  tty.open();
  try {
    return await session.run();
  } finally {
    output.close();
    tty.close();
    await history.close();
    const { conversation: ended, key } = session.chat;
    if (ended.exists) output.line("dim", `To continue: cairn chat --conversation ${key.conversation}`);
  }
}

/** Loads the model that an earlier chat chose. Throws if this fails. */
async function chosenModel({ admission }: OpenedChat, { dataDir, server }: Settings): Promise<string | null> {
  const name = await readChosenModel(dataDir, server.models);
  if (name !== null) await admission.loadModels();
  return name;
}

async function showChange(store: ConversationStore, output: ScreenOutput, chat: OpenedChat, model: string | null) {
  if (output.conversation !== chat.key.conversation) await showConversation(store, output, chat);
  const used = model === null ? null : (await chat.admission.loadModels()).modelNamed(model);
  output.use(used ?? chat.agent.model);
}

async function showConversation(store: ConversationStore, output: ScreenOutput, chat: OpenedChat): Promise<void> {
  const { info, key, agent } = chat;
  output.begin(key.conversation, agent.model, await meterOf(store, chat));
  if (info?.title) output.line("dim", `Continuing: ${plainLine(info.title)}`);
  output.line("dim", `Conversation ${key.conversation}`);
  if (info !== null) await showTurns(store, chat, output);
}

const PAGE = 1_000;

async function meterOf(store: ConversationStore, { info, key }: OpenedChat): Promise<Meter> {
  const meter = new Meter();
  for (let after = 0; info !== null && after < info.last_seq; ) {
    const events = await store.readEvents(key, { after, limit: PAGE });
    for (const { event } of events) if (!("unknown" in event)) meter.see(event);
    after = events.at(-1)?.seq ?? info.last_seq;
  }
  return meter;
}

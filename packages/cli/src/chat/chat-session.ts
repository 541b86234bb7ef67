/** A chat session: reads messages until the input ends. Ctrl-C stops the running turn; another one quits. */
import { setTimeout as wait } from "node:timers/promises";
import type { TurnExit } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import type { OpenedStore } from "cairn-agent/process";
import { EXIT, type ExitCode } from "../command/exit-code.ts";
import { plainLine, type Terminal, writeJson } from "../command/terminal.ts";
import { askConsent } from "./ask/ask-consent.ts";
import { type LineSource, MESSAGE_PROMPT } from "./ask/line-source.ts";
import { nextMessage } from "./ask/next-message.ts";
import { type Answer, readAnswer } from "./conversation/answer.ts";
import { type ChosenFile, mentionedFiles } from "./conversation/attachment.ts";
import type { OpenedChat } from "./conversation/open-chat.ts";
import type { ChatOutput } from "./show/output.ts";
import { runSlashCommand } from "./slash/commands.ts";
import type { PromptMessage, SlashContext } from "./slash/slash-command.ts";

export interface ChatParts {
  readonly terminal: Terminal;
  readonly store: OpenedStore;
  readonly output: ChatOutput;
  readonly lines: LineSource;
  readonly open: (id: string | null) => Promise<OpenedChat>;
  /** Called when the session shows a conversation, and when the model of the session changes. */
  readonly onChange: (chat: OpenedChat, model: string | null) => Promise<void>;
  /** Called when the user chose a model. */
  readonly onModel: (model: string | null) => Promise<void>;
  /** The model at the start of the session; null for the agent's own. */
  readonly model: string | null;
  readonly interactive: boolean;
  readonly json: boolean;
  /** Approve every call that needs approval, without asking. */
  readonly consent: boolean;
}

const EXIT_OF_TURN: Readonly<Record<TurnExit, ExitCode>> = {
  complete: EXIT.ok,
  clarify: EXIT.ok,
  max_iterations: EXIT.ok,
  budget: EXIT.ok,
  cancelled: EXIT.interrupted,
  error: EXIT.failed,
  quarantined: EXIT.failed,
};

/** Codes of errors that concern only one message. After such an error, the chat continues. */
const REFUSED = new Set(["bad_attachment", "too_large", "full", "storage_full", "queue_full"]);
/** Codes of errors that a message's attachments cause. */
const BAD_FILES = new Set(["bad_attachment", "too_large"]);

const GRACE_MS = 1_000;
const MAX_LINE_LENGTH = 80;

export class ChatSession {
  readonly #parts: ChatParts;
  #chat: OpenedChat;
  #files: ChosenFile[] = [];
  #model: string | null;
  #listed: readonly string[] | null = null;
  #doing: "turn" | "cancelling" | "nothing" = "nothing";
  #isLeaving = false;
  /** Whether Ctrl-C was pressed on an empty line after the last message. */
  #isWarned = false;
  #exit: ExitCode = EXIT.ok;
  /** The message of the prompt that was just chosen. */
  #prompted: PromptMessage | null = null;
  readonly #left = Promise.withResolvers<"left">();

  constructor(parts: ChatParts, chat: OpenedChat, files: readonly ChosenFile[]) {
    this.#parts = parts;
    this.#chat = chat;
    this.#files = [...files];
    this.#model = parts.model;
  }

  async run(): Promise<ExitCode> {
    const { lines } = this.#parts;
    const onInterrupt = () => this.interrupt();
    process.on("SIGINT", onInterrupt);
    try {
      const talking = this.#talk();
      const how = await Promise.race([talking, this.#left.promise]);
      if (how !== "left") return how;
      this.#chat.conversation.abandon();
      lines.close();
      // When the user quits, the session does not wait for the turn, which the next start continues from the journal.
      await Promise.race([talking.catch(() => undefined), wait(GRACE_MS, undefined, { ref: false })]);
      return EXIT.interrupted;
    } finally {
      process.off("SIGINT", onInterrupt);
      lines.close();
    }
  }

  /** The conversation that the session shows now. */
  get chat(): OpenedChat {
    return this.#chat;
  }

  async #talk(): Promise<ExitCode> {
    const { interactive, lines, output } = this.#parts;
    if (!(await this.#finishOpenTurn())) return EXIT.waiting;
    while (!this.#isLeaving) {
      const line = interactive ? await lines.next(MESSAGE_PROMPT) : await nextMessage(lines);
      if (line === null) break;
      const message = line.trim();
      if (message === "") continue;
      this.#isWarned = false;
      if (!(await this.#take(message))) return EXIT.waiting;
      if (this.#exit === EXIT.interrupted && !interactive) break;
    }
    if (this.#files.length > 0) {
      output.line("yellow", "The attachments were not sent, because no message followed them.");
      return interactive ? EXIT.ok : EXIT.usage;
    }
    return interactive ? EXIT.ok : this.#exit;
  }

  async #finishOpenTurn(): Promise<boolean> {
    const { conversation } = this.#chat;
    if (!(await conversation.hasWork())) return true;
    const message = plainLine((await conversation.unanswered()) ?? "");
    this.#parts.output.line("dim", `Continuing the interrupted turn: ${clip(message)}`);
    return this.#runTurns();
  }

  /** Runs a slash command, or sends a message. False when a call waits for a person who cannot answer here. */
  async #take(message: string): Promise<boolean> {
    try {
      if (!(await runSlashCommand(message, this.slashContext(), this.#parts.interactive))) return this.#say(message);
    } catch (error) {
      if (!CairnError.is(error)) throw error;
      this.#complain(error);
      return true;
    }
    const made = this.#prompted;
    this.#prompted = null;
    return made === null ? true : this.#say(made.message, made);
  }

  /** The parts of the session for slash commands. */
  slashContext(): SlashContext {
    const { terminal, store, output, onChange, onModel } = this.#parts;
    return {
      terminal,
      store,
      output,
      chat: this.#chat,
      files: this.#files,
      model: this.#model,
      listed: this.#listed,
      list: (conversations) => {
        this.#listed = conversations;
      },
      attach: (file) => this.#files.push(file),
      ask: (prompt) => this.#parts.lines.next(prompt),
      say: (message) => {
        this.#prompted = message;
      },
      useModel: async (model) => {
        this.#model = model;
        await onChange(this.#chat, model);
        await onModel(model);
      },
      open: async (id) => {
        this.#chat = await this.#parts.open(id);
        await onChange(this.#chat, this.#model);
        await this.#finishOpenTurn();
      },
      leave: () => {
        this.#isLeaving = true;
      },
    };
  }

  async #say(message: string, made: Partial<PromptMessage> = {}): Promise<boolean> {
    const { interactive, output } = this.#parts;
    try {
      // A message of a prompt is not written by the user.
      if (made.prompt === undefined) await this.#attachMentioned(message);
      await this.#chat.conversation.send(message, this.#files, {
        model: this.#model ?? undefined,
        prompt: made.prompt,
        files: made.files,
      });
    } catch (error) {
      if (!CairnError.is(error) || !REFUSED.has(error.code)) throw error;
      this.#complain(error);
      // In a pipe, later lines may need the attached files. So the files stay attached, and the command fails.
      if (interactive && BAD_FILES.has(error.code)) {
        this.#files = [];
        output.line("yellow", "The message was not sent, and its attachments were removed.");
      }
      return true;
    }
    this.#files = [];
    return this.#runTurns();
  }

  /** Attaches files that a person names with `@`, but none in a pipe, where a program may have written the text. */
  async #attachMentioned(message: string): Promise<void> {
    const { interactive, output, terminal } = this.#parts;
    if (!interactive) return;
    for (const file of await mentionedFiles(message, terminal)) {
      if (this.#files.some(({ path }) => path === file.path)) continue;
      this.#files.push(file);
      output.line("dim", `${plainLine(file.name)} (${file.mime}) is attached.`);
    }
  }

  /** Runs turns until there is no more work. False when a call waits for an approval that nobody here can give. */
  async #runTurns(): Promise<boolean> {
    const { store, output } = this.#parts;
    const { conversation, folder, key } = this.#chat;
    while (await conversation.hasWork()) {
      this.#doing = "turn";
      output.doing("thinking");
      const outcome = await conversation.runNext();
      this.#doing = "nothing";
      output.doing(null);
      if (outcome.status === "ended") {
        this.#present(await readAnswer(store, key, folder, outcome));
        this.#exit = EXIT_OF_TURN[outcome.end.exit] || this.#exit;
      } else if (outcome.status === "waiting" && !(await this.#askConsent())) return false;
    }
    return true;
  }

  #askConsent(): Promise<boolean> {
    const { json, output, terminal } = this.#parts;
    const { conversation, key } = this.#chat;
    output.endText();
    return askConsent({
      ...this.#parts,
      conversation,
      onWaiting: (approval, what, call) => {
        output.line("yellow", `Waiting for ${what}: ${call}`);
        output.line(
          "yellow",
          `To continue: cairn chat --conversation ${key.conversation} (in a terminal, or with --yes)`,
        );
        if (json)
          writeJson(terminal.stdout, { conversation: key.conversation, status: "waiting", call_id: approval.call_id });
      },
    });
  }

  #present(answer: Answer): void {
    const { json, output, terminal } = this.#parts;
    if (json) {
      writeJson(terminal.stdout, answer);
      return;
    }
    output.endText();
    if (!this.#chat.watcher.hasShownAnswer) output.answer(answer.text);
    if (answer.exit === "cancelled") output.line("yellow", "(stopped)");
    output.details([
      ...answer.citations.map(({ sid, title, where }) => `[${sid}] ${plainLine(title)}  ${plainLine(where)}`),
      ...answer.files.map(({ path, local }) => `${plainLine(path)}  ${plainLine(local)}`),
      ...answer.followups.map((text) => `? ${plainLine(text)}`),
    ]);
  }

  #complain(error: unknown): void {
    this.#exit = EXIT.failed;
    this.#parts.output.line("red", error instanceof Error ? error.message : String(error));
  }

  /** Text typed during a turn steers that turn. A command waits until the turn ends. */
  steer(line: string): boolean {
    if (this.#doing !== "turn" || line.trim() === "" || line.trim().startsWith("/")) return false;
    this.#steerWith(line.trim()).catch((error: unknown) => this.#complain(error));
    return true;
  }

  async #steerWith(message: string): Promise<void> {
    const { interactive, terminal } = this.#parts;
    const files = interactive ? await mentionedFiles(message, terminal) : [];
    await this.#chat.conversation.send(message, files, { mode: "steer" });
  }

  /** Stops the turn. Without a turn, or the second time, ends the chat; a person at a terminal is warned first. */
  interrupt(): void {
    const { interactive, output } = this.#parts;
    if (this.#doing === "turn") {
      this.#doing = "cancelling";
      output.line("yellow", "Stopping… (Ctrl-C again to leave)");
      this.#chat.conversation.cancel().catch((error: unknown) => this.#complain(error));
    } else if (!interactive || this.#doing === "cancelling" || this.#isWarned) this.#left.resolve("left");
    else {
      this.#isWarned = true;
      output.line("dim", "Press Ctrl-C again to leave.");
    }
  }
}

function clip(line: string): string {
  const characters = [...line];
  return characters.length <= MAX_LINE_LENGTH ? line : `${characters.slice(0, MAX_LINE_LENGTH - 1).join("")}…`;
}

/** A chat session: reads messages until the input ends. Ctrl-C stops the running turn; another one quits. */
import { setTimeout as wait } from "node:timers/promises";
import type { TurnExit } from "@cairn/agent";
import type { ConversationKey, ConversationStore } from "@cairn/store";
import { CairnError, type Question, viewApproval } from "@cairn/timeline";
import { EXIT, type ExitCode } from "../command/exit-code.ts";
import { paint, plainLine, plainText, type Terminal, writeJson } from "../command/terminal.ts";
import { type Answer, readAnswer } from "./answer.ts";
import { askQuestion } from "./ask-question.ts";
import { type ChosenFile, chooseFile } from "./attachment.ts";
import type { Approval, Conversation } from "./conversation.ts";
import { describeCall, describeParams } from "./describe-call.ts";
import { listFiles } from "./files.ts";
import { type LineSource, pipedLines, TypedLines } from "./line-source.ts";
import { nextMessage } from "./next-message.ts";
import { readConsent } from "./read-consent.ts";
import { lastReasoning } from "./reasoning.ts";
import type { TurnWatcher } from "./watch-turn.ts";

export interface ChatParts {
  readonly terminal: Terminal;
  readonly store: ConversationStore;
  readonly key: ConversationKey;
  readonly folder: string;
  readonly conversation: Conversation;
  readonly watcher: TurnWatcher;
  readonly interactive: boolean;
  readonly json: boolean;
  /** Approve every call that asks. */
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

/** Errors of one message. The chat goes on after them. */
const REFUSED = new Set(["bad_attachment", "too_large", "full", "storage_full", "queue_full"]);
/** The errors among them that the attachments cause. */
const BAD_FILES = new Set(["bad_attachment", "too_large"]);

const GRACE_MS = 1_000;
const MAX_LINE_LENGTH = 80;

export class ChatSession {
  readonly #parts: ChatParts;
  readonly #lines: LineSource;
  #files: ChosenFile[] = [];
  #doing: "turn" | "cancelling" | "nothing" = "nothing";
  #exit: ExitCode = EXIT.ok;
  readonly #left = Promise.withResolvers<"left">();

  constructor(parts: ChatParts) {
    this.#parts = parts;
    this.#lines = parts.interactive
      ? new TypedLines(parts.terminal, { onEarly: (line) => this.#steer(line), onInterrupt: () => this.#interrupt() })
      : pipedLines(parts.terminal);
  }

  async run(files: readonly ChosenFile[]): Promise<ExitCode> {
    this.#files = [...files];
    const onInterrupt = () => this.#interrupt();
    process.on("SIGINT", onInterrupt);
    try {
      const talking = this.#talk();
      const how = await Promise.race([talking, this.#left.promise]);
      if (how !== "left") return how;
      this.#parts.conversation.abandon();
      this.#lines.close();
      // On quitting, the reason of the turn is not awaited; durable events are there at the next start.
      await Promise.race([talking.catch(() => undefined), wait(GRACE_MS, undefined, { ref: false })]);
      return EXIT.interrupted;
    } finally {
      process.off("SIGINT", onInterrupt);
      this.#lines.close();
      const { conversation, interactive, key, watcher } = this.#parts;
      if (interactive && conversation.exists)
        watcher.line("dim", `To continue: cairn chat --conversation ${key.conversation}`);
    }
  }

  async #talk(): Promise<ExitCode> {
    const { conversation, interactive, terminal, watcher } = this.#parts;
    if (await conversation.hasWork()) {
      const message = plainLine((await conversation.unanswered()) ?? "");
      watcher.line("dim", `Continuing the interrupted turn: ${clip(message)}`);
      if (!(await this.#runTurns())) return EXIT.waiting;
    }
    for (;;) {
      const line = await nextMessage(this.#lines, paint(terminal.stdout, "cyan", "> "));
      if (line === null) break;
      const message = line.trim();
      if (message === "") continue;
      if (message === "/quit" || message === "/exit") break;
      if (message === "/files") await this.#listFiles();
      else if (message === "/reasoning") await this.#showReasoning();
      else if (/^\/attach(\s|$)/.test(message)) await this.#attach(message.slice("/attach".length).trim());
      else if (interactive && /^\/\w+$/.test(message))
        watcher.line("yellow", `Unknown command ${message}. Use /attach <file>, /files, /reasoning or /quit.`);
      else if (!(await this.#say(message))) return EXIT.waiting;
      if (this.#exit === EXIT.interrupted && !interactive) break;
    }
    if (this.#files.length > 0) {
      watcher.line("yellow", "The attachments were not sent, because no message followed them.");
      return interactive ? EXIT.ok : EXIT.usage;
    }
    return interactive ? EXIT.ok : this.#exit;
  }

  async #say(message: string): Promise<boolean> {
    try {
      await this.#parts.conversation.send(message, this.#files);
    } catch (error) {
      if (!CairnError.is(error) || !REFUSED.has(error.code)) throw error;
      this.#complain(error);
      // In a pipe, the next lines may be about the files, so they stay and the command fails.
      if (this.#parts.interactive && BAD_FILES.has(error.code)) {
        this.#files = [];
        this.#parts.watcher.line("yellow", "The message was not sent, and its attachments were removed.");
      }
      return true;
    }
    this.#files = [];
    return this.#runTurns();
  }

  /** Runs turns until there are none; returns false when a call waits for an approval that nobody here can give. */
  async #runTurns(): Promise<boolean> {
    const { conversation, folder, key, store } = this.#parts;
    while (await conversation.hasWork()) {
      this.#doing = "turn";
      const outcome = await conversation.runNext();
      this.#doing = "nothing";
      if (outcome.status === "ended") {
        this.#present(await readAnswer(store, key, folder, outcome));
        this.#exit = EXIT_OF_TURN[outcome.end.exit] || this.#exit;
      } else if (outcome.status === "waiting" && !(await this.#askConsent())) return false;
    }
    return true;
  }

  async #askConsent(): Promise<boolean> {
    const { consent, conversation, interactive, json, key, terminal, watcher } = this.#parts;
    for (const approval of await conversation.approvals()) {
      const { tool_id, params, question, client = false } = viewApproval(approval);
      const call =
        question === undefined ? describeCall(tool_id, params) : plainLine(`${tool_id}: ${question.message}`);
      if (question !== undefined && interactive) {
        watcher.endLine();
        if (!(await this.#answerQuestion(approval, question))) return false;
      } else if (client && interactive) {
        watcher.endLine();
        const line = await this.#lines.next(`${call} waits for its client, which runs it. Refuse it? [y/N] `);
        if (line === null || !/^y/i.test(line.trim())) return false;
        await conversation.decide(approval, { approve: false });
      } else if (question === undefined && !client && consent) await conversation.decide(approval, { approve: true });
      else if (interactive) {
        watcher.endLine();
        for (const shown of describeParams(params)) watcher.line("dim", shown);
        const line = await this.#lines.next(
          `Allow ${call}? [y/N, a: always in this conversation; a reason after a comma] `,
        );
        if (line === null) return false;
        await conversation.decide(approval, readConsent(line));
      } else {
        const what = client ? "the client that runs it" : question === undefined ? "approval" : "an answer";
        watcher.line("yellow", `Waiting for ${what}: ${call}`);
        watcher.line(
          "yellow",
          `To continue: cairn chat --conversation ${key.conversation} (in a terminal, or with --yes)`,
        );
        if (json)
          writeJson(terminal.stdout, { conversation: key.conversation, status: "waiting", call_id: approval.call_id });
        return false;
      }
    }
    return true;
  }

  /** Asks until the answer matches the form. Returns false when the input has ended. */
  async #answerQuestion(approval: Approval, question: Question): Promise<boolean> {
    const { conversation, watcher } = this.#parts;
    for (;;) {
      const given = await askQuestion(
        question,
        (line) => watcher.line("yellow", line),
        (text) => this.#lines.next(text),
      );
      if (given === null) return false;
      try {
        await conversation.decide(approval, given);
        return true;
      } catch (error) {
        if (!CairnError.is(error) || error.code !== "bad_request") throw error;
        this.#complain(error);
      }
    }
  }

  #present(answer: Answer): void {
    const { interactive, json, terminal, watcher } = this.#parts;
    const { stdout } = terminal;
    if (json) {
      writeJson(stdout, answer);
      return;
    }
    watcher.endLine();
    if (!interactive || !watcher.hasShownAnswer) stdout.write(`${plainText(answer.text)}\n`);
    if (answer.exit === "cancelled") watcher.line("yellow", "(stopped)");
    const details = [
      ...answer.citations.map(({ sid, title, where }) => `[${sid}] ${plainLine(title)}  ${plainLine(where)}`),
      ...answer.files.map(({ path, local }) => `${plainLine(path)}  ${plainLine(local)}`),
      ...answer.followups.map((text) => `? ${plainLine(text)}`),
    ];
    if (details.length > 0) stdout.write(`\n${details.map((line) => paint(stdout, "dim", line)).join("\n")}\n`);
    stdout.write("\n");
  }

  async #attach(given: string): Promise<void> {
    if (given === "") return this.#parts.watcher.line("yellow", "/attach <file>");
    try {
      const { cwd, env } = this.#parts.terminal;
      const file = await chooseFile(cwd, readFileName(given, env.HOME));
      this.#files.push(file);
      this.#parts.watcher.line("dim", `${plainLine(file.name)} (${file.mime}) will be sent with your next message.`);
    } catch (error) {
      this.#complain(error);
    }
  }

  async #listFiles(): Promise<void> {
    const { conversation, folder, key, store, terminal } = this.#parts;
    const files = conversation.exists ? await listFiles(store, key, folder) : [];
    for (const { path, local } of files) terminal.stdout.write(`${plainLine(path)}  ${plainLine(local)}\n`);
    for (const { name } of this.#files)
      terminal.stdout.write(`${plainLine(name)}  (will be sent with your next message)\n`);
    if (files.length + this.#files.length === 0) this.#parts.watcher.line("dim", "No files yet.");
  }

  async #showReasoning(): Promise<void> {
    const { conversation, key, store, terminal, watcher } = this.#parts;
    const texts = conversation.exists ? await lastReasoning(store, key) : [];
    for (const text of texts) terminal.stdout.write(`${paint(terminal.stdout, "dim", plainText(text))}\n\n`);
    if (texts.length === 0) watcher.line("dim", "The last turn has no reasoning that can be shown.");
  }

  #complain(error: unknown): void {
    this.#exit = EXIT.failed;
    this.#parts.watcher.line("red", error instanceof Error ? error.message : String(error));
  }

  /** Text typed during a turn steers that turn; a command waits until it ends. */
  #steer(line: string): boolean {
    if (this.#doing !== "turn" || line.trim() === "" || line.trim().startsWith("/")) return false;
    this.#parts.conversation.send(line.trim(), [], "steer").catch((error: unknown) => this.#complain(error));
    return true;
  }

  #interrupt(): void {
    const { conversation, watcher } = this.#parts;
    if (this.#doing !== "turn") {
      this.#left.resolve("left");
      return;
    }
    this.#doing = "cancelling";
    watcher.line("yellow", "Stopping… (Ctrl-C again to leave)");
    conversation.cancel().catch((error: unknown) => this.#complain(error));
  }
}

function clip(line: string): string {
  const characters = [...line];
  return characters.length <= MAX_LINE_LENGTH ? line : `${characters.slice(0, MAX_LINE_LENGTH - 1).join("")}…`;
}

/** Reads a file name as people write it and terminals paste it: quoted, with escaped spaces, or with `~`. */
function readFileName(given: string, home: string | undefined): string {
  const quoted = /^(["'])(.*)\1$/.exec(given)?.[2];
  if (quoted !== undefined) return quoted;
  const plain = given.replace(/\\([ '"()&[\]])/g, "$1");
  return home !== undefined && plain.startsWith("~/") ? `${home}${plain.slice(1)}` : plain;
}

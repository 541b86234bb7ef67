/** A command of the chat, such as `/files`, and what it can use. */
import type { OpenedStore } from "cairn-agent/process";
import type { NewFile, NewMessage } from "cairn-agent/turns";
import type { Terminal } from "../../command/terminal.ts";
import type { ChosenFile } from "../conversation/attachment.ts";
import type { OpenedChat } from "../conversation/open-chat.ts";
import type { ChatOutput } from "../show/output.ts";

/** A message that was made from a prompt of an MCP server. */
export interface PromptMessage {
  readonly message: string;
  readonly files: readonly NewFile[];
  readonly prompt: NonNullable<NewMessage["prompt"]>;
}

/** The parts of a chat session that slash commands use. */
export interface SlashContext {
  readonly terminal: Terminal;
  readonly store: OpenedStore;
  readonly output: ChatOutput;
  readonly chat: OpenedChat;
  /** Files that will be sent with the next message. */
  readonly files: readonly ChosenFile[];
  /** The model of the session; null for the agent's own. */
  readonly model: string | null;
  /** The conversations that `/resume` listed last, in the order of the list; null before the first list. */
  readonly listed: readonly string[] | null;
  list(conversations: readonly string[]): void;
  attach(file: ChosenFile): void;
  /** Asks the person; null at the end of the input. */
  ask(prompt: string): Promise<string | null>;
  /** Sends a message when the command has ended. */
  say(message: PromptMessage): void;
  useModel(model: string | null): Promise<void>;
  /** Switches to another conversation; null begins a new one. */
  open(id: string | null): Promise<void>;
  leave(): void;
}

export interface SlashCommand {
  /** Name of the argument, shown after the command's name in the list of commands. */
  readonly argument?: string;
  readonly about: string;
  /** Whether the command also works in a pipe, where any other line that begins with `/` is a message. */
  readonly inPipe?: boolean;
  /** Runs the command. The message of a `CairnError` that it throws is shown to the person. */
  readonly run: (context: SlashContext, argument: string) => Promise<void> | void;
  /** Returns values that Tab offers for the argument. Without it, Tab offers file names. */
  readonly values?: (context: SlashContext) => Promise<readonly string[]>;
}

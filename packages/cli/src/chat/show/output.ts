/** The output of a chat: a screen, or the streams of a pipe. It removes control codes from every text. */
import type { KnownEvent } from "@cairn/timeline";

export type LineStyle = "dim" | "yellow" | "red" | "bold";

export interface ChatOutput {
  /** Whether text is shown while it is being written. */
  readonly isLive: boolean;
  /** Prints a line about the work that is not part of an answer. */
  line(style: LineStyle, text: string): void;
  /** Prints the result of a command, without style. */
  print(lines: readonly string[]): void;
  /** Prints an answer, which is Markdown. */
  answer(text: string): void;
  /** Prints details below an answer: its sources and files. */
  details(lines: readonly string[]): void;
  /** Text that is being written: `say` is Markdown, anything else is shown as it is. */
  grow(kind: string, text: string): void;
  /** Ends the text that is being written. */
  endText(): void;
  /** Shows the current activity; null when the chat waits for a message. */
  doing(what: string | null): void;
  /** Shows that the turn is waiting to ask the model again. */
  wait(reason: string, ms: number): void;
  /** Takes an event of the conversation, for its tokens and cost. */
  meter(event: KnownEvent): void;
}

/** Lines of a chat, from a pipe or from the input line of a terminal. */
import { readLines } from "../../command/lines.ts";
import type { Terminal } from "../../command/terminal.ts";

/** The prompt for a message. With any other prompt, the line answers a question. */
export const MESSAGE_PROMPT = "> ";

export interface LineSource {
  /** The next line; null at the end. */
  next(prompt: string): Promise<string | null>;
  close(): void;
}

export function pipedLines({ stdin }: Terminal): LineSource {
  const lines = readLines(stdin);
  return {
    next: async () => (await lines.next()).value ?? null,
    close: () => stdin.destroy(),
  };
}

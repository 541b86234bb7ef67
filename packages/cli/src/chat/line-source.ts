/** Lines of a chat from a terminal or a pipe, and Ctrl-C. A line that nobody awaits goes to `onEarly`, or is kept. */
import { createInterface, type Interface } from "node:readline";
import { readLines } from "../command/lines.ts";
import type { Terminal } from "../command/terminal.ts";

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

export class TypedLines implements LineSource {
  readonly #typing: Interface;
  readonly #kept: string[] = [];
  #waiting: ((line: string | null) => void) | null = null;
  #ended = false;

  constructor(
    { stdin, stdout }: Terminal,
    handlers: { readonly onEarly: (line: string) => boolean; readonly onInterrupt: () => void },
  ) {
    this.#typing = createInterface({ input: stdin, output: stdout, terminal: true });
    this.#typing.on("line", (line) => {
      if (this.#waiting !== null) this.#give(line);
      else if (!handlers.onEarly(line)) this.#kept.push(line);
    });
    this.#typing.on("SIGINT", handlers.onInterrupt);
    this.#typing.on("close", () => {
      this.#ended = true;
      // Further output must not appear after the prompt.
      if (this.#waiting !== null) stdout.write("\n");
      this.#give(null);
    });
  }

  next(prompt: string): Promise<string | null> {
    const kept = this.#kept.shift();
    if (kept !== undefined) return Promise.resolve(kept);
    if (this.#ended) return Promise.resolve(null);
    this.#typing.setPrompt(prompt);
    this.#typing.prompt();
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  close(): void {
    this.#typing.close();
  }

  #give(line: string | null): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.(line);
  }
}

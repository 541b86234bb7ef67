/**
 * The terminal in raw mode: keys arrive one by one, and pastes are bracketed. When the process ends or stops, the
 * terminal is restored, except after SIGKILL.
 */
import process from "node:process";
import type { Terminal } from "../../command/terminal.ts";

type RawInput = Terminal["stdin"] & { readonly setRawMode?: (isRaw: boolean) => unknown };

const BEGIN_PASTES = "\x1b[?2004h";
const END_PASTES = "\x1b[?2004l";
const SIGNALS = ["SIGTERM", "SIGHUP"] as const;

export interface TtyHandlers {
  /** Called before the terminal is restored, to remove the live rows. */
  readonly onLeave: () => void;
  readonly onReturn: () => void;
}

export class Tty {
  readonly #terminal: Terminal;
  readonly #handlers: TtyHandlers;
  #isRaw = false;
  #returning: NodeJS.Immediate | null = null;
  readonly #leave = () => this.#giveBack();
  readonly #end = (signal: NodeJS.Signals) => {
    this.close();
    process.kill(process.pid, signal);
  };
  readonly #continue = () => this.#take();

  constructor(terminal: Terminal, handlers: TtyHandlers) {
    this.#terminal = terminal;
    this.#handlers = handlers;
  }

  open(): void {
    process.on("exit", this.#leave);
    process.on("uncaughtExceptionMonitor", this.#leave);
    process.on("SIGCONT", this.#continue);
    for (const signal of SIGNALS) process.on(signal, this.#end);
    this.#take();
  }

  close(): void {
    process.off("exit", this.#leave);
    process.off("uncaughtExceptionMonitor", this.#leave);
    process.off("SIGCONT", this.#continue);
    for (const signal of SIGNALS) process.off(signal, this.#end);
    if (this.#returning !== null) clearImmediate(this.#returning);
    this.#giveBack();
  }

  /**
   * Stops the job, as Ctrl-Z does in other programs. The shell continues it with SIGCONT. If the job cannot be stopped,
   * as the first process of a container, the terminal is taken again at once.
   */
  suspend(): void {
    this.#giveBack();
    process.kill(0, "SIGTSTP");
    this.#returning = setImmediate(() => this.#take());
  }

  #take(): void {
    if (this.#isRaw) return;
    this.#isRaw = true;
    (this.#terminal.stdin as RawInput).setRawMode?.(true);
    this.#terminal.stdout.write(BEGIN_PASTES);
    this.#handlers.onReturn();
  }

  #giveBack(): void {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    this.#handlers.onLeave();
    this.#terminal.stdout.write(END_PASTES);
    (this.#terminal.stdin as RawInput).setRawMode?.(false);
  }
}

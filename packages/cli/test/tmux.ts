/** A real terminal for tests: a shell in tmux. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, vi } from "vitest";

const run = promisify(execFile);
const PATIENCE = { timeout: 120_000, interval: 50 };

export interface TmuxOptions {
  readonly tmux: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly width: number;
  readonly height: number;
}

export class TmuxTerminal implements AsyncDisposable {
  readonly #tmux: string;
  readonly #folder: string;

  private constructor(tmux: string, folder: string) {
    this.#tmux = tmux;
    this.#folder = folder;
  }

  static async open({ tmux, cwd, env, width, height }: TmuxOptions): Promise<TmuxTerminal> {
    const terminal = new TmuxTerminal(tmux, await mkdtemp(join(tmpdir(), "cairn-tmux-")));
    const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : ["-e", `${name}=${value}`]));
    const size = ["-x", String(width), "-y", String(height)];
    await terminal.#do("-f", "/dev/null", "-u", "new-session", "-d", ...size, ...set, "-c", cwd, "sh");
    return terminal;
  }

  /** The visible rows without spaces at their ends. `all`: includes the rows that scrolled out of view. */
  async read(all = false): Promise<string> {
    return (await this.#do("capture-pane", "-p", "-J", ...(all ? ["-S", "-"] : []))).replace(/ +$/gm, "");
  }

  /** Waits until the visible rows match; returns them. */
  async sees(pattern: string | RegExp): Promise<string> {
    return vi.waitFor(async () => {
      const screen = await this.read();
      expect(screen).toMatch(pattern);
      return screen;
    }, PATIENCE);
  }

  async types(text: string): Promise<void> {
    await this.#do("send-keys", "-l", "--", text);
  }

  /** Keys by their tmux names, such as `Enter`, `C-c` or `M-Enter`. */
  async presses(...keys: readonly string[]): Promise<void> {
    await this.#do("send-keys", ...keys);
  }

  async pastes(text: string): Promise<void> {
    await this.#do("set-buffer", "--", text);
    await this.#do("paste-buffer", "-p");
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#do("resize-window", "-x", String(width), "-y", String(height));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#do("kill-server");
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #do(...args: readonly string[]): Promise<string> {
    return (await run(this.#tmux, ["-S", join(this.#folder, "socket"), ...args])).stdout;
  }
}

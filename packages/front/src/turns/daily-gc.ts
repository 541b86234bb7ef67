/**
 * Runs the garbage collection of the store ten minutes after the start and then once a day, like `cairn gc`, so that
 * deleted text is removed without an operator, even if the process restarts every day. Several processes may do this at
 * the same time. A failure is logged, and the next run comes a day later.
 */
import type { StoreMaintenance } from "@cairn/store";
import { removeLeftWorkspaces } from "../data/left-workspaces.ts";
import type { Log } from "../telemetry/log.ts";

const FIRST_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

export interface DailyGcOptions {
  readonly store: Pick<StoreMaintenance, "gc" | "conversations">;
  /** The folder with the working folders. Working folders of deleted conversations are removed. */
  readonly dataDir: string;
  readonly log: Log;
  /** Milliseconds between two runs. Default: a day. */
  readonly everyMs?: number;
}

export class DailyGc implements AsyncDisposable {
  readonly #options: DailyGcOptions;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();

  constructor(options: DailyGcOptions) {
    this.#options = options;
    this.#timer = this.#after(Math.min(FIRST_MS, options.everyMs ?? DAY_MS));
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#begin(), ms).unref();
  }

  #begin(): void {
    this.#timer = this.#after(this.#options.everyMs ?? DAY_MS);
    this.#running = this.#running.then(() => this.#collect());
  }

  async #collect(): Promise<void> {
    const { store, dataDir, log } = this.#options;
    if (this.#stop.signal.aborted) return;
    try {
      const { blobs, bytes } = await store.gc({ signal: this.#stop.signal });
      const folders = await removeLeftWorkspaces(dataDir, store, this.#stop.signal);
      log.info("gc", { blobs, bytes, folders });
    } catch (error) {
      if (!this.#stop.signal.aborted) log.error("The daily garbage collection failed.", error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#running;
  }
}

/**
 * Runs readers in a bounded number of processes. A process is reused for the next file, stopped after being idle for a
 * while, and replaced when a file left it with much memory. Further files wait in order of arrival.
 */
import { CairnError, type JsonObject } from "@cairn/timeline";
import type { Reader } from "./reader.ts";
import { type ReaderLimits, ReaderProcess } from "./reader-process.ts";

export interface ReaderHostOptions extends ReaderLimits {
  /** Number of files read at the same time. */
  readonly processes: number;
  /** Milliseconds until an idle process is stopped. */
  readonly idle: number;
}

const DEFAULTS: ReaderHostOptions = { time: 20_000, memory: 512 * 1024 * 1024, processes: 2, idle: 30_000 };

export class ReaderHost {
  readonly #options: ReaderHostOptions;
  readonly #idle: ReaderProcess[] = [];
  readonly #busy = new Set<ReaderProcess>();
  readonly #waiting: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: Partial<ReaderHostOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Throws `unreadable`, `too_large` for a file over the limits, and errors of the reader. */
  async read<O extends JsonObject, R>(
    { module }: Reader<O, R>,
    bytes: Uint8Array,
    options: O,
    signal?: AbortSignal,
  ): Promise<R> {
    const process = await this.#take(signal);
    try {
      return (await process.run({ module, options }, bytes, signal)) as R;
    } finally {
      this.#release(process);
    }
  }

  /** Stops every process, and resolves when all have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const processes = [...this.#idle.splice(0), ...this.#busy];
    for (const process of processes) process.kill();
    for (const wake of this.#waiting.splice(0)) wake();
    await Promise.all(processes.map((process) => process.gone()));
  }

  async #take(signal: AbortSignal | undefined): Promise<ReaderProcess> {
    while (!this.#isClosed && this.#busy.size >= this.#options.processes) await this.#turn(signal);
    if (this.#isClosed) throw new CairnError("closed", "The file reader is closed.");
    if (signal?.aborted === true) {
      // The free slot goes to the next in line.
      this.#waiting.shift()?.();
      signal.throwIfAborted();
    }
    let process = this.#idle.pop();
    while (process !== undefined && !process.isAlive) process = this.#idle.pop();
    process ??= new ReaderProcess(this.#options);
    this.#busy.add(process);
    return process;
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    this.#waiting.push(resolve);
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", abort);
      const at = this.#waiting.indexOf(resolve);
      if (at !== -1) this.#waiting.splice(at, 1);
    }
  }

  #release(process: ReaderProcess): void {
    this.#busy.delete(process);
    if (process.isAlive && !this.#isClosed && process.memory < this.#options.memory / 2) this.#idle.push(process);
    else process.kill();
    this.#waiting.shift()?.();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const idle of this.#idle.splice(0)) idle.kill();
    }, this.#options.idle);
    this.#timer.unref();
  }
}

/** Shared by the whole process, so that it never reads more files at a time than one host allows. */
export const sharedReaders = new ReaderHost();

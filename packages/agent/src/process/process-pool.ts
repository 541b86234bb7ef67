/**
 * Runs jobs in a limited number of child processes; further jobs wait in order of arrival. A process is reused for the
 * next job, stopped after it was idle for a while, and replaced when it uses much memory after a job.
 */
import { CairnError } from "@cairn/timeline/error";
import type { ProcessLimits } from "./limited-job.ts";
import { Places } from "./places.ts";

export interface ProcessPoolOptions extends ProcessLimits {
  /** Number of jobs at the same time. */
  readonly processes: number;
  /** Milliseconds until an idle process is stopped. */
  readonly idle: number;
}

export interface PooledProcess {
  readonly isAlive: boolean;
  /** Memory that the process uses now, in bytes; 0 if unknown. */
  readonly memory: number;
  kill(): void;
}

export class ProcessPool<P extends PooledProcess> {
  readonly #options: ProcessPoolOptions;
  readonly #start: (limits: ProcessLimits) => P;
  readonly #places: Places;
  readonly #idle: P[] = [];
  readonly #busy = new Set<P>();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(options: ProcessPoolOptions, start: (limits: ProcessLimits) => P) {
    this.#options = options;
    this.#start = start;
    this.#places = new Places(options.processes);
  }

  async use<T>(work: (process: P) => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#places.enter(signal);
    try {
      if (this.#isClosed) throw new CairnError("closed", "The pool of processes for this work was closed.");
      const process = this.#take();
      try {
        return await work(process);
      } finally {
        this.#giveBack(process);
      }
    } finally {
      this.#places.leave();
    }
  }

  /** Kills every process. Returns the processes, so that the caller can wait for their ends. */
  close(): readonly P[] {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const processes = [...this.#idle.splice(0), ...this.#busy];
    for (const process of processes) process.kill();
    return processes;
  }

  #take(): P {
    let process = this.#idle.pop();
    while (process !== undefined && !process.isAlive) process = this.#idle.pop();
    process ??= this.#start(this.#options);
    this.#busy.add(process);
    return process;
  }

  #giveBack(process: P): void {
    this.#busy.delete(process);
    if (process.isAlive && !this.#isClosed && process.memory < this.#options.memory / 2) this.#idle.push(process);
    else process.kill();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      for (const idle of this.#idle.splice(0)) idle.kill();
    }, this.#options.idle);
    this.#timer.unref();
  }
}

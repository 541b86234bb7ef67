/** Runs readers in child processes. */
import type { JsonObject } from "@cairn/timeline";
import { ProcessPool, type ProcessPoolOptions } from "../process/process-pool.ts";
import type { Reader } from "./reader.ts";
import { ReaderProcess } from "./reader-process.ts";

const DEFAULTS: ProcessPoolOptions = { time: 20_000, memory: 512 * 1024 * 1024, processes: 2, idle: 30_000 };

export class ReaderHost {
  readonly #pool: ProcessPool<ReaderProcess>;

  constructor(options: Partial<ProcessPoolOptions> = {}) {
    this.#pool = new ProcessPool({ ...DEFAULTS, ...options }, (limits) => new ReaderProcess(limits));
  }

  /** Throws `unreadable`, `too_large` for a file over the limits, and errors of the reader. */
  async read<O extends JsonObject, R>(
    { module }: Reader<O, R>,
    bytes: Uint8Array,
    options: O,
    signal?: AbortSignal,
  ): Promise<R> {
    return (await this.#pool.use((process) => process.run({ module, options }, bytes, signal), signal)) as R;
  }

  /** Stops every process, and resolves when all have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#pool.close().map((process) => process.gone()));
  }
}

/** The readers of the whole process. They share one limit of concurrent jobs. */
export const sharedReaders = new ReaderHost();

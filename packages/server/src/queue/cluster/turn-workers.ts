/**
 * Takes jobs and has them run: graphile-worker's pool of workers, kept going.
 *
 * A pool that cannot tell the database how a job ended shuts itself down, as it does when PostgreSQL is restarted at the
 * wrong moment. Its jobs run on to their end; a new pool takes its place at once.
 */
import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { type Logger, runTaskList, type WorkerPool } from "graphile-worker";
import type { Log } from "../../telemetry/log.ts";
import { type QueueDatabase, SCHEMA } from "./queue-database.ts";
import { TASK } from "./turn-jobs.ts";

export interface TurnWorkersOptions {
  readonly database: QueueDatabase;
  readonly concurrency: number;
  readonly log: Log;
  readonly logger: Logger;
  readonly run: (payload: unknown) => Promise<void>;
}

/** How often a free worker looks for jobs that nobody announced: those put off, and those of the dead. */
const POLL_MS = 1_000;
const REPLACE_MS = 500;
/** When this process ends: for the database to be told of the last jobs. */
const LAST_WORDS_MS = 3_000;

export class TurnWorkers {
  readonly #options: TurnWorkersOptions;
  /** The one that takes jobs, and those that only finish theirs. */
  readonly #pools = new Set<WorkerPool>();
  #isStopping = false;

  constructor(options: TurnWorkersOptions) {
    this.#options = options;
  }

  /** By which the database knows who has taken a job. */
  get ids(): readonly string[] {
    return [...this.#pools].map(({ id }) => id);
  }

  start(): void {
    if (this.#isStopping) return;
    const { concurrency, database, logger, run } = this.#options;
    const events = new EventEmitter();
    const pool = runTaskList(
      {
        ...{ concurrency, events, logger, schema: SCHEMA, pollInterval: POLL_MS },
        // The process has its own way to stop.
        noHandleSignals: true,
        // How a job ended is told by itself: told with the job, what the database says against it would end the process.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
      { [TASK]: run },
      database.pool,
    );
    this.#pools.add(pool);
    events.on("pool:gracefulShutdown", () => void this.#replace());
    const gone = () => this.#pools.delete(pool);
    pool.promise.then(gone, gone);
  }

  /** Takes no more jobs. */
  stop(): void {
    this.#isStopping = true;
    for (const pool of this.#pools) void Promise.resolve(pool.gracefulShutdown()).catch(() => undefined);
  }

  /** When no job runs any more: waits until the database knows, for a moment. */
  async stopped(): Promise<void> {
    const patience = new AbortController();
    const all = Promise.allSettled([...this.#pools].map(({ promise }) => promise));
    const enough = wait(LAST_WORDS_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([all, enough]);
    patience.abort();
  }

  async #replace(): Promise<void> {
    if (this.#isStopping) return;
    this.#options.log.warn("The database could not be told how a job ended. Those who take jobs begin anew.");
    await wait(REPLACE_MS);
    this.start();
  }
}

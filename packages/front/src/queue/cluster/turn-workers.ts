/**
 * Takes jobs and runs them with a graphile-worker pool, which is replaced when it fails.
 *
 * A pool shuts itself down if it cannot report the end of a job to the database, for example because PostgreSQL
 * restarts at that moment. Its other jobs run to their end, and a new pool replaces it when the database answers. A
 * pool whose first query fails does not shut down but takes no jobs, so it is replaced, too.
 *
 * Workers are notified of new jobs. For jobs without a notification, graphile-worker would let every free worker poll.
 * Instead, the process checks once a second for such jobs, and wakes as many workers as there are jobs.
 */
import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { type Logger, runTaskList, type WorkerEvents, type WorkerPool } from "graphile-worker";
import type { Log } from "../../telemetry/log.ts";
import { type QueueDatabase, SCHEMA } from "./queue-database.ts";
import { TASK } from "./turn-jobs.ts";

export interface TurnWorkersOptions {
  readonly database: QueueDatabase;
  readonly concurrency: number;
  /** Number of free workers. */
  readonly free: () => number;
  readonly log: Log;
  readonly logger: Logger;
  readonly run: (payload: unknown) => Promise<void>;
  /** Flags of jobs that this process must not take now. Called before each poll for a job. */
  readonly skip: () => readonly string[];
}

/** How often a process polls for jobs without a notification: postponed jobs, and jobs of dead workers. */
const POLL_MS = 1_000;
/** Poll interval of a worker: practically never, because workers are woken when jobs arrive. */
const NEVER_MS = 24 * 3_600_000;

/** Jobs that are due and that this process may take, no more than `$2`. */
const DUE = `SELECT count(*)::int AS jobs FROM (
  SELECT 1 FROM ${SCHEMA}.jobs WHERE task_identifier = '${TASK}' AND locked_at IS NULL AND run_at <= now()
  AND attempts < max_attempts AND (flags ?| $1::text[]) IS NOT TRUE LIMIT $2) AS due`;
const REPLACE_MS = 500;
/** Time to report the last jobs to the database when this process ends. */
const LAST_WORDS_MS = 3_000;

export class TurnWorkers {
  readonly #options: TurnWorkersOptions;
  /** All pools: the pool that takes jobs, and pools that only finish their jobs. */
  readonly #pools = new Set<WorkerPool>();
  /** The pool that takes jobs; null if there is none. */
  #taking: WorkerPool | null = null;
  #poll: NodeJS.Timeout | null = null;
  #isStopping = false;

  constructor(options: TurnWorkersOptions) {
    this.#options = options;
  }

  /** The ids under which the database records who has taken a job. */
  get ids(): readonly string[] {
    return [...this.#pools].map(({ id }) => id);
  }

  start(): void {
    if (this.#isStopping) return;
    const { concurrency, database, log, logger, run, skip } = this.#options;
    const events: WorkerEvents = new EventEmitter();
    const pool = runTaskList(
      {
        concurrency,
        events,
        logger,
        schema: SCHEMA,
        pollInterval: NEVER_MS,
        forbiddenFlags: () => [...skip()],
        // The process handles signals itself, so graphile-worker must not.
        noHandleSignals: true,
        // Each job's end is reported separately: a database error during a batch of reports would end the process.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      },
      { [TASK]: run },
      database.pool,
    );
    this.#pools.add(pool);
    this.#taking = pool;
    events.once("worker:getJob:error", ({ error }) => {
      log.warn("The query for waiting jobs failed.", { said: String(error) });
      // Shuts the pool down only after it has handled the failure, because the failure would otherwise end the process.
      setImmediate(() => shutDown(pool));
    });
    // A pool that has worked once retries after every failure by itself, so it is not replaced.
    const isProven = () => events.removeAllListeners("worker:getJob:error");
    events.once("worker:getJob:empty", isProven).once("job:start", isProven);
    events.once("pool:gracefulShutdown", () => {
      if (this.#taking === pool) this.#taking = null;
      this.#replace().catch((error: unknown) => log.error("The job workers stopped: no jobs are being taken.", error));
    });
    this.#poll ??= setInterval(() => void this.#wakeForDue(), POLL_MS);
    this.#poll.unref();
    const gone = () => this.#pools.delete(pool);
    pool.promise.then(gone, gone);
  }

  /** Stops taking jobs. Running ones continue. */
  stop(): void {
    this.#isStopping = true;
    if (this.#poll !== null) clearInterval(this.#poll);
    for (const pool of this.#pools) shutDown(pool);
  }

  /** Called after the last job: waits briefly until its end is reported to the database. */
  async stopped(): Promise<void> {
    const patience = new AbortController();
    const all = Promise.allSettled([...this.#pools].map(({ promise }) => promise));
    // When all pools have ended, the timer is aborted, which is not an error.
    const enough = wait(LAST_WORDS_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([all, enough]);
    patience.abort();
  }

  async #wakeForDue(): Promise<void> {
    const { database, free, skip } = this.#options;
    const most = free();
    if (most <= 0) return;
    try {
      const { rows } = await database.pool.query<{ jobs: number }>(DUE, [skip(), most]);
      const due = rows[0]?.jobs ?? 0;
      if (due > 0) this.#taking?.nudge(due);
    } catch {
      // The error is ignored, because the heartbeat and the workers report it. The next poll follows after a second.
    }
  }

  async #replace(): Promise<void> {
    if (this.#isStopping) return;
    const { database, log } = this.#options;
    log.warn("The job workers are being restarted.");
    do await wait(REPLACE_MS);
    while (!this.#isStopping && !(await answers(database)));
    this.start();
  }
}

/** Shuts a pool down. May be called again while it shuts down; the pool logs its own errors. */
function shutDown(pool: WorkerPool): void {
  void Promise.resolve(pool.gracefulShutdown()).catch(() => undefined);
}

function answers({ pool }: QueueDatabase): Promise<boolean> {
  return pool.query("SELECT 1").then(
    () => true,
    () => false,
  );
}

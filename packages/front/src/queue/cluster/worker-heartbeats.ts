/**
 * Heartbeats of workers. graphile-worker reserves a job for four hours for the worker that took it. Here, each worker
 * writes a heartbeat every two seconds. If a worker writes none for six seconds, its jobs are freed. If the worker was
 * only slow, no harm is done: the lease of its turn has expired, too, and its writes are rejected once another worker
 * has the lease.
 */
import { type QueueDatabase, SCHEMA } from "./queue-database.ts";

/** The duration of a lease: before a lease expires, no other worker could continue the turn. */
export const DEAD_AFTER_MS = 6_000;

const LEAVE_MS = 2_000;

const BEAT = `INSERT INTO cairn_workers (pool, beat_at) SELECT unnest($1::text[]), clock_timestamp()
ON CONFLICT (pool) DO UPDATE SET beat_at = excluded.beat_at`;

const FIND_DEAD = `SELECT DISTINCT j.locked_by AS pool
FROM ${SCHEMA}.jobs j LEFT JOIN cairn_workers w ON w.pool = j.locked_by
WHERE j.locked_by IS NOT NULL AND greatest(j.locked_at, w.beat_at) < now() - $1::float8 * interval '1 millisecond'`;

const FORGET = "DELETE FROM cairn_workers WHERE beat_at < now() - $1::float8 * interval '1 millisecond'";

export class WorkerHeartbeats {
  readonly #database: QueueDatabase;

  constructor(database: QueueDatabase) {
    this.#database = database;
  }

  async beat(pools: readonly string[]): Promise<void> {
    if (pools.length > 0) await this.#database.pool.query(BEAT, [pools]);
  }

  /** Frees the jobs of dead workers; returns the number of workers. Two processes may do this at the same time. */
  async freeJobsOfTheDead(): Promise<number> {
    const { pool, utils } = this.#database;
    const { rows } = await pool.query<{ pool: string }>(FIND_DEAD, [DEAD_AFTER_MS]);
    const dead = rows.map((row) => row.pool);
    if (dead.length > 0) await utils.forceUnlockWorkers(dead);
    await pool.query(FORGET, [10 * DEAD_AFTER_MS]);
    // Removes jobs that other jobs have replaced, so that they do not run again.
    await utils.cleanup({ tasks: ["DELETE_PERMAFAILED_JOBS"] });
    return dead.length;
  }

  async leave(pools: readonly string[]): Promise<void> {
    const text = "DELETE FROM cairn_workers WHERE pool = ANY($1::text[])";
    // Ends a query when the server does not answer. The types of the driver lack this option.
    await this.#database.pool.query(Object.assign({ text, values: [pools] }, { query_timeout: LEAVE_MS }));
  }
}

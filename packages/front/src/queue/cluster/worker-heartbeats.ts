/**
 * Heartbeats of workers. graphile-worker reserves a job for four hours for the worker that took it. Here each worker
 * writes a heartbeat every two seconds, and the jobs of a worker without one for six seconds are freed. A worker that
 * was only slow does no harm: the lease of its turn has expired as well, and its token is rejected once another worker
 * takes over.
 */
import { type QueueDatabase, SCHEMA } from "./queue-database.ts";

/** As long as a lease, because nobody could continue the turn before the lease expires. */
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

  /** Frees the jobs of dead workers; returns the number of workers. Safe to run twice at once. */
  async freeJobsOfTheDead(): Promise<number> {
    const { pool, utils } = this.#database;
    const { rows } = await pool.query<{ pool: string }>(FIND_DEAD, [DEAD_AFTER_MS]);
    const dead = rows.map((row) => row.pool);
    if (dead.length > 0) await utils.forceUnlockWorkers(dead);
    await pool.query(FORGET, [10 * DEAD_AFTER_MS]);
    // A job that another one replaces is not run again.
    await utils.cleanup({ tasks: ["DELETE_PERMAFAILED_JOBS"] });
    return dead.length;
  }

  async leave(pools: readonly string[]): Promise<void> {
    const text = "DELETE FROM cairn_workers WHERE pool = ANY($1::text[])";
    // The option ends a query when the server is unavailable. The types of the driver do not have it.
    await this.#database.pool.query(Object.assign({ text, values: [pools] }, { query_timeout: LEAVE_MS }));
  }
}

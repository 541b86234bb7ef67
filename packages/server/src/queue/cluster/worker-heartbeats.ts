/**
 * Who lives of those who take jobs. graphile-worker keeps a job for four hours for whoever took it; here each writes
 * every two seconds that it lives, and the jobs of one who has not for six are set free. One who was only slow does no
 * harm: its turn's lease has run out, too, and whoever takes it over fences it out.
 */
import { type QueueDatabase, SCHEMA } from "./queue-database.ts";

/** As long as a lease: sooner nobody could go on with the turn. */
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

  /** Sets free what the dead had taken; gives how many they were. Two at once do what one would. */
  async freeJobsOfTheDead(): Promise<number> {
    const { pool, utils } = this.#database;
    const { rows } = await pool.query<{ pool: string }>(FIND_DEAD, [DEAD_AFTER_MS]);
    const dead = rows.map((row) => row.pool);
    if (dead.length > 0) await utils.forceUnlockWorkers(dead);
    await pool.query(FORGET, [10 * DEAD_AFTER_MS]);
    // A job that another one stands for is not run again by anybody.
    await utils.cleanup({ tasks: ["DELETE_PERMAFAILED_JOBS"] });
    return dead.length;
  }

  async leave(pools: readonly string[]): Promise<void> {
    const text = "DELETE FROM cairn_workers WHERE pool = ANY($1::text[])";
    // Nobody waits for a server that is away; the driver's types do not know that it may be told so.
    await this.#database.pool.query(Object.assign({ text, values: [pools] }, { query_timeout: LEAVE_MS }));
  }
}

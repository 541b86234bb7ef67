/**
 * Chores: periodic tasks that one process at a time does for the cluster. The process that did a chore last does it
 * again, and another process takes over after twice the interval. A process that just lost its database does no chores
 * for a while, because its information is outdated.
 */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Log } from "../../telemetry/log.ts";

export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  /** How long the database must have answered without a failure before this process may run the chore. */
  readonly settledMs: number;
  readonly run: () => Promise<void>;
}

const CLAIM = `INSERT INTO cairn_chores AS c (chore, done_at, done_by) VALUES ($1, now(), $2)
ON CONFLICT (chore) DO UPDATE SET done_at = excluded.done_at, done_by = excluded.done_by
WHERE c.done_at < now() - $3::float8 * interval '1 millisecond'
  * CASE WHEN c.done_by = excluded.done_by THEN 1 ELSE 2 END`;

const PUT_OFF =
  "UPDATE cairn_chores SET done_at = now() + $3::float8 * interval '1 millisecond' WHERE chore = $1 AND done_by = $2";

/** After a long chore, the pause is this many times its duration. */
const REST = 10;
/** Share of the interval after which a chore is due, because timers may fire slightly early. */
const EARLY = 0.9;

export class Chores {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #chores: readonly Chore[];
  readonly #me = randomUUID();
  readonly #timers = new Set<NodeJS.Timeout>();
  #settledAt = performance.now();
  /** Logs only the first failure of an outage. */
  readonly #failing = new Set<string>();
  #isOver = false;

  constructor(pool: pg.Pool, log: Log, chores: readonly Chore[]) {
    this.#pool = pool;
    this.#log = log;
    this.#chores = chores;
  }

  start(): void {
    for (const chore of this.#chores) void this.#goOn(chore);
  }

  stop(): void {
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #goOn(chore: Chore): Promise<void> {
    try {
      await this.#doIfDue(chore);
      this.#failing.delete(chore.name);
    } catch (error) {
      this.#settledAt = performance.now();
      const isNews = !this.#failing.has(chore.name) && !this.#isOver;
      if (isNews) this.#log.error("A periodic task of the queue failed.", error, { chore: chore.name });
      this.#failing.add(chore.name);
    }
    if (this.#isOver) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#goOn(chore);
    }, chore.everyMs);
    timer.unref();
    this.#timers.add(timer);
  }

  async #doIfDue({ name, everyMs, settledMs, run }: Chore): Promise<void> {
    if (performance.now() - this.#settledAt < settledMs) {
      await this.#pool.query("SELECT 1");
      return;
    }
    const { rowCount } = await this.#pool.query(CLAIM, [name, this.#me, EARLY * everyMs]);
    if (rowCount !== 1) return;
    const began = performance.now();
    await run();
    const took = performance.now() - began;
    if (REST * took > everyMs) await this.#pool.query(PUT_OFF, [name, this.#me, REST * took - everyMs]);
  }
}

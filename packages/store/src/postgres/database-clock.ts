/** The database's clock: this machine's, corrected by the offset at the last query. The quickest answer counts. */
import type { Clock } from "@cairn/timeline";
import type pg from "pg";

const ASK_EVERY_MS = 60_000;
const QUESTIONS = 3;

export class DatabaseClock implements Clock {
  readonly #pool: pg.Pool;
  #aheadMs = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  now(): number {
    if (performance.now() - this.#askedAt > ASK_EVERY_MS) {
      this.#askedAt = performance.now();
      // Until the answer arrives, and if the query fails, the old correction is used.
      this.ask().catch(() => undefined);
    }
    return Date.now() + this.#aheadMs;
  }

  async ask(): Promise<void> {
    this.#askedAt = performance.now();
    let quickest = Number.POSITIVE_INFINITY;
    for (let nth = 0; nth < QUESTIONS; nth++) {
      const asked = performance.now();
      const { rows } = await this.#pool.query<{ ms: number }>(
        "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms",
      );
      const took = performance.now() - asked;
      const ms = rows[0]?.ms;
      if (ms === undefined || took >= quickest) continue;
      quickest = took;
      this.#aheadMs = ms + took / 2 - Date.now();
    }
  }
}

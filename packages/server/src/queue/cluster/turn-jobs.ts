/**
 * Conversations with something to do, as jobs of graphile-worker. A conversation has one job that waits, under its key;
 * an offer while a job of it runs makes another one, so that nothing said meanwhile is missed.
 *
 * What a job says is only that a conversation is worth a look: what there is to do stands in its journal. The jobs are
 * in no named queues, of which graphile-worker would look through every one for each job (docs/decisions/0801): that
 * turns of one conversation come one after another is the lease's doing.
 */
import { createHash } from "node:crypto";
import { type ConversationKey, scopeKey } from "@cairn/store";
import type pg from "pg";
import { z } from "zod";
import { SCHEMA } from "./queue-database.ts";

export const TASK = "cairn_turn";

const jobSchema = z.object({
  key: z.object({ tenant: z.string(), project: z.string(), user: z.string(), conversation: z.string() }),
  /** How often in a row its turn could not be run. */
  failures: z.number().int().min(0),
});

export type TurnJob = z.infer<typeof jobSchema>;

/** No turn is given up because those who ran it died. */
const MOST_ATTEMPTS = 32_767;
/** A job that was taken so long ago and has no lease yet will not get there. */
const STUCK = "interval '10 seconds'";

const ADD = `SELECT ${SCHEMA}.add_job(
  '${TASK}', payload := $1::json, run_at := clock_timestamp() + $2::float8 * interval '1 millisecond',
  max_attempts := ${MOST_ATTEMPTS}, job_key := $3, job_key_mode := $4)`;

export class TurnJobs {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Somebody shall look at it, now or so much later. One that waits already keeps its place. */
  async offer(job: TurnJob, ms = 0): Promise<void> {
    await this.#add(job, ms, "preserve_run_at");
  }

  /** At the end of those that wait, wherever it was. */
  async offerAnew(key: ConversationKey): Promise<void> {
    await this.#add({ key, failures: 0 }, 0, "replace");
  }

  /** Whether it is to be looked at some time later. */
  async isDeferred(key: ConversationKey): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `SELECT 1 FROM ${SCHEMA}.jobs WHERE key = $1 AND locked_at IS NULL AND run_at > now()`,
      [jobKey(key)],
    );
    return rowCount !== 0;
  }

  /** How many wait, in the whole cluster; counts no further than `most`. */
  async count(most: number): Promise<number> {
    const { rows } = await this.#pool.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM (
        SELECT 1 FROM ${SCHEMA}.jobs
        WHERE task_identifier = '${TASK}' AND locked_at IS NULL AND attempts < max_attempts LIMIT $1) AS jobs`,
      [most],
    );
    return rows[0]?.waiting ?? 0;
  }

  /** Those of the conversations that no job stands for. */
  async without(keys: readonly ConversationKey[]): Promise<readonly ConversationKey[]> {
    const { rows } = await this.#pool.query<{ key: string }>(
      `SELECT key FROM ${SCHEMA}.jobs WHERE key = ANY($1::text[]) AND (locked_at IS NULL OR locked_at > now() - ${STUCK})`,
      [keys.map(jobKey)],
    );
    const known = new Set(rows.map(({ key }) => key));
    return keys.filter((key) => !known.has(jobKey(key)));
  }

  async #add(job: TurnJob, ms: number, mode: "preserve_run_at" | "replace"): Promise<void> {
    await this.#pool.query(ADD, [JSON.stringify(job), ms, jobKey(job.key), mode]);
  }
}

/** Null for what is no job of ours. */
export function readJob(payload: unknown): TurnJob | null {
  return jobSchema.safeParse(payload).data ?? null;
}

/** A name as long as graphile-worker takes, however long the conversation's is. */
function jobKey(key: ConversationKey): string {
  return createHash("sha256").update(scopeKey(key)).digest("hex");
}

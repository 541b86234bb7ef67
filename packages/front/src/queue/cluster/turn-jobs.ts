/**
 * Conversations with work, as jobs of graphile-worker. A conversation has at most one waiting job. An offer while its
 * job runs adds a waiting job, so that no message is missed.
 *
 * A job only says that a conversation should be checked; the work itself is in its journal. The jobs use no named
 * queues, because graphile-worker would check every queue for each job (docs/decisions/0801). The lease makes the turns
 * of one conversation run one after another.
 *
 * Jobs are taken by priority, then by time. The priority is a job's place in a line that serves tenants round-robin,
 * and the users of a tenant round-robin. It is the priority of the first job in the line plus the number of waiting
 * jobs of the tenant that are served before (docs/decisions/0804).
 */
import { createHash } from "node:crypto";
import { scopeOf } from "@cairn/agent";
import { type ConversationKey, type Scope, scopeKey } from "@cairn/store";
import type pg from "pg";
import { z } from "zod";
import { SCHEMA } from "./queue-database.ts";

export const TASK = "cairn_turn";

const jobSchema = z.object({
  key: z.object({ tenant: z.string(), project: z.string(), user: z.string(), conversation: z.string() }),
  /** Number of failures in a row of the conversation's turns. */
  failures: z.number().int().min(0),
});

export type TurnJob = z.infer<typeof jobSchema>;

/** The maximum that graphile-worker allows. A turn must be retried, however often its processes die. */
const MAX_ATTEMPTS = 32_767;
/** If a job was taken this long ago and its conversation has no lease, the conversation will not get one. */
const STUCK = "interval '10 seconds'";

/** Job keys begin with hashes of the tenant's and the user's name, each with this many hexadecimal digits. */
const NAME_DIGITS = 16;
const REST_DIGITS = 32;
const MIN_KEY_END = "0".repeat(NAME_DIGITS + REST_DIGITS);
const MAX_KEY_END = "f".repeat(NAME_DIGITS + REST_DIGITS);
const LAST_PRIORITY = 2 ** 31 - 1;

/** `$3`: the job's key, `$5`: the tenant's name, `$6`: the user's. A waiting job keeps its priority. */
const PRIORITY = `WITH tenant AS (
  SELECT substr(key, ${NAME_DIGITS + 1}, ${NAME_DIGITS}) AS name, count(*) AS jobs, max(priority) AS last
  FROM ${SCHEMA}.jobs
  WHERE key BETWEEN $5::text || '${MIN_KEY_END}' AND $5::text || '${MAX_KEY_END}' AND key <> $3 AND locked_at IS NULL GROUP BY 1
), own AS (
  SELECT coalesce(max(jobs), 0) AS jobs, coalesce(max(last) + 1, 0) AS next FROM tenant WHERE name = $6
), before AS (
  SELECT coalesce(sum(CASE WHEN t.name = $6 THEN t.jobs ELSE least(t.jobs, own.jobs + 1) END), 0) AS jobs
  FROM own CROSS JOIN tenant t
), head AS (
  SELECT coalesce(min(priority), 0) AS priority FROM ${SCHEMA}.jobs
  WHERE task_identifier = '${TASK}' AND locked_at IS NULL AND run_at <= now()
)
SELECT coalesce(
  (SELECT priority FROM ${SCHEMA}.jobs WHERE key = $3 AND locked_at IS NULL AND $4 = 'preserve_run_at'),
  (SELECT least(${LAST_PRIORITY}, greatest(head.priority + before.jobs, own.next)) FROM head, before, own))::int`;

const ADD = `SELECT ${SCHEMA}.add_job(
  '${TASK}', payload := $1::json, run_at := clock_timestamp() + $2::float8 * interval '1 millisecond',
  max_attempts := ${MAX_ATTEMPTS}, job_key := $3, job_key_mode := $4, priority := (${PRIORITY}),
  flags := ARRAY['t' || $5::text, 'u' || $5::text || $6::text])`;

/** The number of waiting jobs of a user, found by the names in their keys. */
export interface WaitingCount {
  readonly tenant: string;
  readonly user: string;
  readonly jobs: number;
}

export class TurnJobs {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Enqueues a check, now or after a delay. If a job already waits, it keeps its place. */
  async offer(job: TurnJob, ms = 0): Promise<void> {
    await this.#add(job, ms, "preserve_run_at");
  }

  /** Moves the conversation's job to the end of the queue. */
  async offerAnew(key: ConversationKey): Promise<void> {
    await this.#add({ key, failures: 0 }, 0, "replace");
  }

  /** Whether the conversation has a postponed job. */
  async isDeferred(key: ConversationKey): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `SELECT 1 FROM ${SCHEMA}.jobs WHERE key = $1 AND locked_at IS NULL AND run_at > now()`,
      [jobKey(key)],
    );
    return rowCount !== 0;
  }

  /** Number of waiting jobs in the whole cluster, by user. */
  async waiting(): Promise<readonly WaitingCount[]> {
    const { rows } = await this.#pool.query<WaitingCount>(
      `SELECT left(key, ${NAME_DIGITS}) AS tenant, left(key, ${2 * NAME_DIGITS}) AS "user", count(*)::int AS jobs
        FROM ${SCHEMA}.jobs
        WHERE task_identifier = '${TASK}' AND locked_at IS NULL AND attempts < max_attempts GROUP BY 1, 2`,
    );
    return rows;
  }

  /** Returns the given conversations that have no job. */
  async without(keys: readonly ConversationKey[]): Promise<readonly ConversationKey[]> {
    const { rows } = await this.#pool.query<{ key: string }>(
      `SELECT key FROM ${SCHEMA}.jobs WHERE key = ANY($1::text[]) AND (locked_at IS NULL OR locked_at > now() - ${STUCK})`,
      [keys.map(jobKey)],
    );
    const known = new Set(rows.map(({ key }) => key));
    return keys.filter((key) => !known.has(jobKey(key)));
  }

  async #add(job: TurnJob, ms: number, mode: "preserve_run_at" | "replace"): Promise<void> {
    const { tenant, user } = namesOf(job.key);
    await this.#pool.query(ADD, [JSON.stringify(job), ms, jobKey(job.key), mode, tenant, user]);
  }
}

/** Reads the payload of a job; null if the job does not belong to Cairn. */
export function readJob(payload: unknown): TurnJob | null {
  return jobSchema.safeParse(payload).data ?? null;
}

/** A job key within graphile-worker's maximum length, even for a long id of a conversation. */
function jobKey(key: ConversationKey): string {
  const { tenant, user } = namesOf(key);
  return `${tenant}${user}${digits(scopeKey(key), REST_DIGITS)}`;
}

/** The beginnings of the job keys of a scope: a hash of the tenant's name, and a hash of the user's name. */
export function namesOf(scope: Scope): { readonly tenant: string; readonly user: string } {
  return { tenant: tenantName(scope.tenant), user: userName(scopeKey(scopeOf(scope))) };
}

/** The flags with which the jobs of these tenants and users are marked. Tenants and users are given as `scopeKey`. */
export function jobFlagsOf(full: { readonly tenants: readonly string[]; readonly users: readonly string[] }): string[] {
  const users = full.users.map((user) => {
    const [tenant = ""]: string[] = JSON.parse(user);
    return `u${tenantName(tenant)}${userName(user)}`;
  });
  return [...full.tenants.map((tenant) => `t${tenantName(tenant)}`), ...users];
}

function tenantName(tenant: string): string {
  return digits(tenant, NAME_DIGITS);
}

function userName(scope: string): string {
  return digits(scope, NAME_DIGITS);
}

function digits(text: string, count: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, count);
}

/**
 * The spending of a scope on models, by the minute: one small row for each minute with spending, so that the cost of a
 * query depends on its window and not on the history. Rows belong to the scope and outlive its conversations.
 */
import { storeError } from "../contract/errors.ts";
import type { Spending, SpendingWindow } from "../contract/records.ts";
import { checkScope, type Scope } from "../contract/scope.ts";
import type { SpentMinute } from "../contract/store-maintenance.ts";
import { scopeNumber } from "./conversations.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

const SPENDING_STEP_MS = 60_000;

/** Must run inside a write transaction. `scope` is the number of the scope's row. */
export function* addSpending(db: SqlDatabase, scope: number, { tokens, dollars }: Spending, now: number): Work<void> {
  checkAmount("tokens", tokens);
  checkAmount("dollars", dollars);
  yield* db.run(
    `INSERT INTO spending (scope, step, tokens, dollars) VALUES (?, ?, ?, ?)
      ON CONFLICT (scope, step) DO UPDATE SET tokens = spending.tokens + excluded.tokens,
      dollars = spending.dollars + excluded.dollars`,
    scope,
    stepOf(now),
    tokens,
    dollars,
  );
}

export function* readSpending(db: SqlDatabase, scope: Scope, { since, until }: SpendingWindow): Work<Spending> {
  checkScope(scope);
  if (!Number.isFinite(since)) throw storeError("bad_argument", "`since` must be epoch milliseconds.", { since });
  if (until !== undefined && !Number.isFinite(until))
    throw storeError("bad_argument", "`until` must be epoch milliseconds.", { until });
  const sum = yield* db.get<{ tokens: number; dollars: number }>(
    `SELECT coalesce(sum(p.tokens), 0.0) AS tokens, coalesce(sum(p.dollars), 0.0) AS dollars FROM scopes s JOIN spending p ON p.scope = s.id
      WHERE s.tenant = ? AND s.project = ? AND s."user" = ? AND p.step >= ?${until === undefined ? "" : " AND p.step < ?"}`,
    scope.tenant,
    scope.project,
    scope.user,
    stepOf(since),
    ...(until === undefined ? [] : [stepOf(until)]),
  );
  return { tokens: sum?.tokens ?? 0, dollars: sum?.dollars ?? 0 };
}

/** Number of rows that are read or written in one transaction. */
const PIECE = 500;

interface SpendingRow extends Scope, Spending {
  readonly scope: number;
  readonly step: number;
}

export async function* allSpending(db: SqlDatabase, signal?: AbortSignal): AsyncGenerator<SpentMinute> {
  for (let [scope, step] = [0, 0]; ; ) {
    const rows = await db.read(
      () =>
        db.all<SpendingRow>(
          `SELECT p.scope, p.step, p.tokens, p.dollars, s.tenant, s.project, s."user"
            FROM spending p JOIN scopes s ON s.id = p.scope
            WHERE (p.scope, p.step) > (?, ?) ORDER BY p.scope, p.step LIMIT ${PIECE}`,
          scope,
          step,
        ),
      signal,
    );
    for (const { tenant, project, user, tokens, dollars, ...row } of rows) {
      [scope, step] = [row.scope, row.step];
      yield { scope: { tenant, project, user }, at: step * SPENDING_STEP_MS, tokens, dollars };
    }
    if (rows.length < PIECE) return;
  }
}

const KEEP = (greater: string) => `INSERT INTO spending (scope, step, tokens, dollars) VALUES (?, ?, ?, ?)
ON CONFLICT (scope, step) DO UPDATE SET tokens = ${greater}(spending.tokens, excluded.tokens),
dollars = ${greater}(spending.dollars, excluded.dollars)`;

export async function keepSpending(
  db: SqlDatabase,
  minutes: readonly SpentMinute[],
  signal?: AbortSignal,
): Promise<void> {
  for (const { scope, at, tokens, dollars } of minutes) {
    checkScope(scope);
    checkAmount("at", at);
    checkAmount("tokens", tokens);
    checkAmount("dollars", dollars);
  }
  for (let from = 0; from < minutes.length; from += PIECE)
    await db.write(function* () {
      for (const { scope, at, tokens, dollars } of minutes.slice(from, from + PIECE)) {
        const keep = { sqlite: KEEP("max"), postgres: KEEP("greatest") };
        yield* db.run(keep, yield* scopeNumber(db, scope), stepOf(at), tokens, dollars);
      }
    }, signal);
}

function stepOf(at: number): number {
  return Math.floor(at / SPENDING_STEP_MS);
}

function checkAmount(name: string, value: number): void {
  if (!Number.isFinite(value) || value < 0)
    throw storeError("bad_argument", `\`${name}\` of the spending must be a number of at least 0.`, { [name]: value });
}

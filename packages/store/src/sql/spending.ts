/**
 * What a scope has spent on models, by the minute: one small row for each minute in which something was spent, so that
 * reading a window costs the window and not the history. Rows belong to the scope and outlive its conversations.
 */
import { storeError } from "../contract/errors.ts";
import type { Spending } from "../contract/records.ts";
import { checkScope, type Scope } from "../contract/scope.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

const SPENDING_STEP_MS = 60_000;

/** Inside a write transaction. `scope` is the scope's number. */
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

export function* readSpending(db: SqlDatabase, scope: Scope, since: number): Work<Spending> {
  checkScope(scope);
  if (!Number.isFinite(since)) throw storeError("bad_argument", "`since` must be epoch milliseconds.", { since });
  const sum = yield* db.get<{ tokens: number; dollars: number }>(
    `SELECT coalesce(sum(p.tokens), 0.0) AS tokens, coalesce(sum(p.dollars), 0.0) AS dollars FROM scopes s JOIN spending p ON p.scope = s.id
      WHERE s.tenant = ? AND s.project = ? AND s."user" = ? AND p.step >= ?`,
    scope.tenant,
    scope.project,
    scope.user,
    stepOf(since),
  );
  return { tokens: sum?.tokens ?? 0, dollars: sum?.dollars ?? 0 };
}

function stepOf(at: number): number {
  return Math.floor(at / SPENDING_STEP_MS);
}

function checkAmount(name: string, value: number): void {
  if (!Number.isFinite(value) || value < 0)
    throw storeError("bad_argument", `\`spent.${name}\` must be a number from 0 up.`, { [name]: value });
}

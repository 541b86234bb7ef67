/**
 * What a scope has spent on models, by the minute: one small row for each minute in which something was spent, so that
 * reading a window costs the window and not the history. Rows belong to the scope and outlive its conversations.
 */
import { storeError } from "../contract/errors.ts";
import type { Spending } from "../contract/records.ts";
import { checkScope, type Scope } from "../contract/scope.ts";
import type { Database } from "./database.ts";

const SPENDING_STEP_MS = 60_000;

/** Inside a write transaction. `scope` is the scope's number. */
export function addSpending(db: Database, scope: number, { tokens, dollars }: Spending, now: number): void {
  checkAmount("tokens", tokens);
  checkAmount("dollars", dollars);
  db.run(
    `INSERT INTO spending (scope, step, tokens, dollars) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, dollars = dollars + excluded.dollars`,
    scope,
    stepOf(now),
    tokens,
    dollars,
  );
}

export function readSpending(db: Database, scope: Scope, since: number): Spending {
  checkScope(scope);
  if (!Number.isFinite(since)) throw storeError("bad_argument", "`since` must be epoch milliseconds.", { since });
  const sum = db.get<{ tokens: number; dollars: number }>(
    `SELECT total(p.tokens) AS tokens, total(p.dollars) AS dollars FROM scopes s JOIN spending p ON p.scope = s.id
      WHERE s.tenant = ? AND s.project = ? AND s.user = ? AND p.step >= ?`,
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

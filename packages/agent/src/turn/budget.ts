/**
 * What a turn may spend. The limits are tested before every model call; what was spent in an earlier life of the turn
 * counts, for it is read from the receipts of the turn.
 */
import type { Budgets } from "../define-agent.ts";

export interface Spent {
  /** Decisions made so far. */
  readonly iterations: number;
  readonly tokens: number;
  readonly dollars: number;
  readonly elapsedMs: number;
}

export const NOTHING_SPENT: Spent = { iterations: 0, tokens: 0, dollars: 0, elapsedMs: 0 };

const DEFAULT_ITERATIONS = 15;

export function iterationLimit(budgets: Budgets): number {
  return budgets.iterations ?? DEFAULT_ITERATIONS;
}

/** The limit that is used up, or null. */
export function breachOf(
  spent: Spent,
  budgets: Budgets,
): { readonly exit: "max_iterations" | "budget"; readonly what: string } | null {
  if (spent.iterations >= iterationLimit(budgets))
    return { exit: "max_iterations", what: `${iterationLimit(budgets)} decisions` };
  if (budgets.tokens !== undefined && spent.tokens >= budgets.tokens)
    return { exit: "budget", what: `${budgets.tokens} tokens` };
  if (budgets.dollars !== undefined && spent.dollars >= budgets.dollars)
    return { exit: "budget", what: `$${budgets.dollars}` };
  if (budgets.elapsedMs !== undefined && spent.elapsedMs >= budgets.elapsedMs)
    return { exit: "budget", what: `${Math.round(budgets.elapsedMs / 1000)} seconds` };
  return null;
}

export function describeBudget(spent: Spent, budgets: Budgets): string | undefined {
  const parts: string[] = [];
  if (budgets.tokens !== undefined) parts.push(`${spent.tokens} of ${budgets.tokens} tokens`);
  if (budgets.dollars !== undefined) parts.push(`$${spent.dollars.toFixed(2)} of $${budgets.dollars.toFixed(2)}`);
  return parts.length === 0 ? undefined : parts.join(", ");
}

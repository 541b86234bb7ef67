/** The limits of a turn, checked before every model request. After a restart, receipts give the spending so far. */
import type { Spending } from "@cairn/store";
import { CairnError, isJsonObject } from "@cairn/timeline";
import type { Caller } from "../../definition/caller.ts";
import type { AgentDefinition, Budgets, UserBudget } from "../../definition/define-agent.ts";

export interface Spent {
  /** Decisions made so far. */
  readonly iterations: number;
  readonly tokens: number;
  readonly dollars: number;
  readonly elapsedMs: number;
}

export const NOTHING_SPENT: Spent = { iterations: 0, tokens: 0, dollars: 0, elapsedMs: 0 };

const DEFAULT_ITERATIONS = 15;

/** The agent's limits for this caller. Throws `bad_budgets`, which ends the turn: none may run without limits. */
export async function budgetsFor({ name, budgets = {} }: AgentDefinition, caller: Caller): Promise<Budgets> {
  if (typeof budgets !== "function") return budgets;
  try {
    const found: unknown = await budgets(caller);
    if (!isJsonObject(found)) throw new TypeError("it must return an object");
    return found;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CairnError("bad_budgets", `The function \`budgets\` of the agent ${name} failed: ${why}`);
  }
}

export function iterationLimit(budgets: Budgets): number {
  return budgets.iterations ?? DEFAULT_ITERATIONS;
}

export interface Breach {
  readonly exit: "max_iterations" | "budget";
  /** The name of the limit, as words for a sentence. */
  readonly what: string;
}

/** The user's limit that is used up, or null. */
export function userBreachOf({ tokens, dollars }: Spending, budget: UserBudget): Breach | null {
  const within = `in ${describeWindow(budget.windowMs)}`;
  if (budget.tokens !== undefined && tokens >= budget.tokens)
    return { exit: "budget", what: `${budget.tokens} tokens ${within}` };
  if (budget.dollars !== undefined && dollars >= budget.dollars)
    return { exit: "budget", what: `$${budget.dollars} ${within}` };
  return null;
}

function describeWindow(ms: number): string {
  const hours = ms / 3_600_000;
  if (hours >= 48) return `${round(hours / 24)} days`;
  return hours >= 1.5 ? `${round(hours)} hours` : `${round(ms / 60_000)} minutes`;
}

function round(amount: number): number {
  return Math.round(amount * 10) / 10;
}

/** The turn's limit that is used up, or null. */
export function breachOf(spent: Spent, budgets: Budgets): Breach | null {
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

/** What scopes have spent, as a list of payments: the reference adds up those of a window whenever it is asked. */
import { type Scope, type Spending, scopeKey, storeError } from "@cairn/store";
import type { MemoryData } from "./memory-data.ts";

const MINUTE = 60_000;

export function noteSpending(data: MemoryData, scope: Scope, spending: Spending, at: number): void {
  data.spent.push({ scope: keyOf(scope), at, spending });
}

export function sumSpending(data: MemoryData, scope: Scope, since: number): Spending {
  if (!Number.isFinite(since)) throw storeError("bad_argument", "`since` must be epoch milliseconds.");
  const minute = (at: number) => Math.floor(at / MINUTE);
  const counted = data.spent.filter((each) => each.scope === keyOf(scope) && minute(each.at) >= minute(since));
  const sum = (part: keyof Spending) => counted.reduce((total, { spending }) => total + spending[part], 0);
  return { tokens: sum("tokens"), dollars: sum("dollars") };
}

/** A key of a conversation is a scope with one part more. */
function keyOf({ tenant, project, user }: Scope): string {
  return scopeKey({ tenant, project, user });
}

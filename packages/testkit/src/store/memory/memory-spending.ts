/** The spending of scopes, as a list of payments: the reference store sums those of a window on every request. */
import { type Scope, type Spending, type SpendingWindow, type SpentMinute, scopeKey, storeError } from "@cairn/store";
import type { MemoryData } from "./memory-data.ts";

const MINUTE = 60_000;

export function noteSpending(data: MemoryData, scope: Scope, spending: Spending, at: number): void {
  data.spent.push({ scope: partsOf(scope), at, spending });
}

/** The payments of each minute, added up. */
export function listSpending(data: MemoryData): SpentMinute[] {
  const minutes = new Map<string, SpentMinute>();
  for (const { scope, at, spending } of data.spent) {
    const key = `${scopeKey(scope)} ${Math.floor(at / MINUTE)}`;
    const { tokens, dollars } = minutes.get(key) ?? { tokens: 0, dollars: 0 };
    const sum = { tokens: tokens + spending.tokens, dollars: dollars + spending.dollars };
    minutes.set(key, { scope, at: Math.floor(at / MINUTE) * MINUTE, ...sum });
  }
  return [...minutes.values()];
}

/** Raises a stored amount to the given one, if that is larger. */
export function raiseSpending(data: MemoryData, minutes: readonly SpentMinute[]): void {
  for (const { scope, at, tokens, dollars } of minutes) {
    if (![at, tokens, dollars].every((value) => Number.isFinite(value) && value >= 0))
      throw storeError("bad_argument", "Spending must be numbers of at least 0.");
    const minute = Math.floor(at / MINUTE) * MINUTE;
    const known = listSpending(data).find((each) => each.at === minute && scopeKey(each.scope) === keyOf(scope));
    const missing = (part: keyof Spending, wanted: number) => Math.max(0, wanted - (known?.[part] ?? 0));
    noteSpending(data, scope, { tokens: missing("tokens", tokens), dollars: missing("dollars", dollars) }, minute);
  }
}

export function sumSpending(
  data: MemoryData,
  scope: Scope,
  { since, until = Number.MAX_VALUE }: SpendingWindow,
): Spending {
  if (!Number.isFinite(since) || !Number.isFinite(until))
    throw storeError("bad_argument", "`since` and `until` must be epoch milliseconds.");
  const minute = (at: number) => Math.floor(at / MINUTE);
  const counted = data.spent.filter(
    (each) =>
      scopeKey(each.scope) === keyOf(scope) && minute(each.at) >= minute(since) && minute(each.at) < minute(until),
  );
  const sum = (part: keyof Spending) => counted.reduce((total, { spending }) => total + spending[part], 0);
  return { tokens: sum("tokens"), dollars: sum("dollars") };
}

/** Leaves out the conversation, because `scope` may be the key of a conversation. */
function partsOf({ tenant, project, user }: Scope): Scope {
  return { tenant, project, user };
}

function keyOf(scope: Scope): string {
  return scopeKey(partsOf(scope));
}

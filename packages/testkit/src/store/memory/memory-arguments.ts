/** The ranges of arguments, pages and scopes, as the contract states them. */
import { type ConversationKey, type Page, type PageOptions, type Scope, storeError } from "@cairn/store";

export function page<T>(items: readonly T[], { limit = 50, cursor }: PageOptions): Page<T> {
  checkRange("limit", limit, 1, 1_000);
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor))
    throw storeError("bad_argument", "The cursor is not one of ours.");
  const start = cursor === undefined ? 0 : Number(cursor);
  const next = start + limit < items.length ? String(start + limit) : null;
  return { items: items.slice(start, start + limit), next };
}

export function isWithin(key: ConversationKey, scope: Partial<Scope>): boolean {
  const { tenant = key.tenant, project = key.project, user = key.user } = scope;
  return key.tenant === tenant && key.project === project && key.user === user;
}

export function withoutPrefix(kind: string): string {
  return kind.startsWith("artifact:") ? kind.slice("artifact:".length) : kind;
}

export function checkTtl(ttlMs: number): void {
  checkRange("ttlMs", ttlMs, 1, 86_400_000);
}

export function checkRange(name: string, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw storeError("bad_argument", `\`${name}\` must be a whole number from ${least} to ${most}.`, { [name]: value });
}

/** A copy of the value, as JSON would store it. */
export function asJson<T>(name: string, value: T): T {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (error) {
    throw storeError("bad_argument", `\`${name}\` is no JSON: ${String(error)}`);
  }
}

export function checkTime(ts: string | undefined): void {
  if (ts === undefined || (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(ts) && !Number.isNaN(Date.parse(ts)))) return;
  throw storeError("bad_argument", "`ts` must be ISO-8601 in UTC.", { ts });
}

export function exists({ conversation }: ConversationKey) {
  return storeError("conversation_exists", `There is a conversation "${conversation}" in this scope.`);
}

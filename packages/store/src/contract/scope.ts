/**
 * Scope: the owner of the data that a call may access. Every call of a store names a scope, every row and every key
 * contains one, and no call reaches outside its scope: a conversation of another tenant, project or user is
 * `not_found`, as if it did not exist.
 *
 * A part is any Unicode text of 1 to 512 UTF-8 bytes, compared byte for byte. Lone surrogates are rejected, because
 * different lone surrogates would become the same bytes in a database. Keys are never made by joining parts with a
 * separator (`scopeKey`).
 */
import { storeError } from "./errors.ts";

export interface Scope {
  readonly tenant: string;
  readonly project: string;
  readonly user: string;
}

export interface ConversationKey extends Scope {
  readonly conversation: string;
}

export const MAX_SCOPE_PART_LENGTH = 512;

/** Throws `bad_scope` and names the part. */
export function checkScope(scope: Scope): void {
  checkPart("tenant", scope.tenant);
  checkPart("project", scope.project);
  checkPart("user", scope.user);
}

export function checkConversationKey(key: ConversationKey): void {
  checkScope(key);
  checkPart("conversation", key.conversation);
}

/** A unique string for a scope or a conversation, whatever its parts contain. */
export function scopeKey(scope: Scope | ConversationKey): string {
  const parts = [scope.tenant, scope.project, scope.user];
  return JSON.stringify("conversation" in scope ? [...parts, scope.conversation] : parts);
}

export function checkPart(name: string, value: unknown): asserts value is string {
  if (typeof value !== "string" || value === "") throw badPart(name, "must be a non-empty string");
  // A UTF-16 unit takes at most three bytes in UTF-8, so short values need not be counted.
  if (value.length * 3 > MAX_SCOPE_PART_LENGTH && new TextEncoder().encode(value).length > MAX_SCOPE_PART_LENGTH)
    throw badPart(name, `takes more than ${MAX_SCOPE_PART_LENGTH} bytes of UTF-8`);
  if (!value.isWellFormed()) throw badPart(name, "holds half of a surrogate pair");
}

function badPart(name: string, problem: string) {
  return storeError("bad_scope", `The scope's \`${name}\` ${problem}.`, { part: name });
}

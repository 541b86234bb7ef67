/** The secrets of scopes. */
import { checkPart, type Scope, scopeKey, storeError } from "@cairn/store";
import type { MemoryData } from "./memory-data.ts";

const MAX_BYTES = 64 * 1024;

export function readSecret(data: MemoryData, scope: Scope, name: string): Uint8Array | null {
  const found = data.secrets.find(isAt(scope, name));
  return found === undefined ? null : new Uint8Array(found.value);
}

export function writeSecret(data: MemoryData, scope: Scope, name: string, value: Uint8Array | null): void {
  checkPart("name", name);
  checkSize(value);
  const isOwn = isAt(scope, name);
  const { tenant, project, user } = scope;
  const own = value === null ? [] : [{ scope: { tenant, project, user }, name, value: new Uint8Array(value) }];
  data.secrets = [...data.secrets.filter((each) => !isOwn(each)), ...own];
}

/** Returns false if there is no such secret. */
export function updateSecret(
  data: MemoryData,
  scope: Scope,
  name: string,
  change: (value: Uint8Array) => Uint8Array | null,
): boolean {
  const found = data.secrets.find(isAt(scope, name));
  if (found === undefined) return false;
  const value = change(new Uint8Array(found.value));
  checkSize(value);
  const others = data.secrets.filter((each) => each !== found);
  data.secrets = value === null ? others : [...others, { ...found, value: new Uint8Array(value) }];
  return true;
}

function checkSize(value: Uint8Array | null): void {
  if (value !== null && value.length > MAX_BYTES)
    throw storeError("too_large", "A secret may have at most 65536 bytes.");
}

/** `scope` may be the key of a conversation, so only the parts of a scope are used. */
function isAt({ tenant, project, user }: Scope, name: string) {
  const owner = scopeKey({ tenant, project, user });
  return (each: { readonly scope: Scope; readonly name: string }) =>
    each.name === name && scopeKey(each.scope) === owner;
}

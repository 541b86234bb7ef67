/** The stored bytes of a user and a tenant, summed on every request. */
import { type Scope, type StoredBytes, scopeKey } from "@cairn/store";
import type { MemoryConversation, MemoryData } from "./memory-data.ts";

export function sumStoredBytes(data: MemoryData, { tenant, project, user }: Scope): StoredBytes {
  const ofTenant = [...data.conversations.values()].filter(({ key }) => key.tenant === tenant);
  const mine = ofTenant.filter(
    ({ key }) =>
      scopeKey({ tenant: key.tenant, project: key.project, user: key.user }) === scopeKey({ tenant, project, user }),
  );
  const blobs = [...data.blobs.values()].filter((blob) => blob.tenant === tenant);
  const referred = new Set(mine.flatMap(({ references }) => [...references.keys()]));
  const sizes = (all: typeof blobs) => all.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  return {
    user: textOf(mine) + sizes(blobs.filter(({ ref }) => referred.has(ref))),
    tenant: textOf(ofTenant) + sizes(blobs),
  };
}

/** Characters of the events of these conversations; a row that branches share counts once. */
export function textOf(conversations: readonly MemoryConversation[]): number {
  const rows = new Set(conversations.flatMap(({ journal }) => journal));
  return [...rows].reduce((sum, { envelope }) => sum + JSON.stringify(JSON.parse(envelope).body).length, 0);
}

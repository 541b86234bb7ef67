/**
 * The storage used by a user and a tenant: characters of their conversations' events, and bytes of their files. A file
 * of several conversations counts once. For a user, files that a conversation refers to count. For a tenant,
 * unreferenced files count too, until `gc` has removed them.
 */
import { checkScope, type Scope } from "../contract/scope.ts";
import type { StoredBytes } from "../contract/store-maintenance.ts";
import type { SqlDatabase } from "./sql-database.ts";
import type { Work } from "./work.ts";

const OF_SCOPE = `s.tenant = ? AND s.project = ? AND s."user" = ?`;
const TEXT = (where: string) =>
  `SELECT coalesce(sum(c.stored_chars), 0) AS bytes FROM conversations c JOIN scopes s ON s.id = c.scope WHERE ${where}`;
const FILES_OF_SCOPE = `SELECT coalesce(sum(f.size), 0) AS bytes FROM (
  SELECT DISTINCT r.hash, r.size FROM refs r JOIN conversations c ON c.id = r.conversation
  JOIN scopes s ON s.id = c.scope WHERE ${OF_SCOPE}) AS f`;
const FILES_OF_TENANT = "SELECT coalesce(sum(size), 0) AS bytes FROM blobs WHERE tenant = ?";

export function* readStoredBytes(db: SqlDatabase, scope: Scope): Work<StoredBytes> {
  checkScope(scope);
  const { tenant, project, user } = scope;
  return {
    user:
      (yield* sum(db, TEXT(OF_SCOPE), tenant, project, user)) + (yield* sum(db, FILES_OF_SCOPE, tenant, project, user)),
    tenant: (yield* sum(db, TEXT("s.tenant = ?"), tenant)) + (yield* sum(db, FILES_OF_TENANT, tenant)),
  };
}

function* sum(db: SqlDatabase, sql: string, ...values: readonly string[]): Work<number> {
  return Number((yield* db.get<{ bytes: number }>(sql, ...values))?.bytes ?? 0);
}

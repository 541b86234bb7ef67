/** Deleting conversations nobody has touched for a while. */
import type { Scope } from "../contract/scope.ts";
import { lockById } from "./conversations.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { hideConversation, removeConversation } from "./staging.ts";
import type { Work } from "./work.ts";

export async function applyRetention(
  db: SqlDatabase,
  idleSince: number,
  scope: Partial<Scope>,
  now: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const { tenant = null, project = null, user = null } = scope;
  const rows = await db.read(
    () =>
      db.all<{ id: number }>(
        `SELECT c.id FROM conversations c JOIN scopes s ON s.id = c.scope
          WHERE c.stage = 0 AND c.last_activity_at <= ? AND (CAST(? AS TEXT) IS NULL OR s.tenant = ?)
          AND (CAST(? AS TEXT) IS NULL OR s.project = ?) AND (CAST(? AS TEXT) IS NULL OR s."user" = ?)`,
        idleSince,
        tenant,
        tenant,
        project,
        project,
        user,
        user,
      ),
    signal,
  );
  const deleted: number[] = [];
  for (const { id } of rows) {
    const isIdle = await db.write(() => hideIfIdle(db, id, idleSince, now), signal);
    if (!isIdle) continue;
    await removeConversation(db, id, now);
    deleted.push(id);
  }
  return deleted;
}

/** Somebody may have written, or taken the lease to write, since the list was made. */
function* hideIfIdle(db: SqlDatabase, id: number, idleSince: number, now: number): Work<boolean> {
  const row = yield* lockById(db, id);
  if (row === null || row.stage !== 0 || row.last_activity_at > idleSince) return false;
  if (row.lease_holder !== null && (row.lease_expires_at ?? 0) > now) return false;
  yield* hideConversation(db, id, now);
  return true;
}

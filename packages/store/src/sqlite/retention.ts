/** Deleting conversations nobody has touched for a while. */
import type { Scope } from "../contract/scope.ts";
import type { Database } from "./database.ts";
import { hideConversation, removeConversation } from "./staging.ts";

export async function applyRetention(
  db: Database,
  idleSince: number,
  scope: Partial<Scope>,
  now: number,
  signal?: AbortSignal,
): Promise<number> {
  const { tenant = null, project = null, user = null } = scope;
  const rows = await db.read(
    () =>
      db.all<{ id: number }>(
        `SELECT c.id FROM conversations c JOIN scopes s ON s.id = c.scope
          WHERE c.stage = 0 AND c.last_activity_at <= ? AND (? IS NULL OR s.tenant = ?)
          AND (? IS NULL OR s.project = ?) AND (? IS NULL OR s.user = ?)`,
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
  let deleted = 0;
  for (const { id } of rows) {
    const isIdle = await db.write(() => hideIfIdle(db, id, idleSince, now), signal);
    if (!isIdle) continue;
    await removeConversation(db, id, now);
    deleted++;
  }
  return deleted;
}

/** Somebody may have written, or taken the lease to write, since the list was made. */
function hideIfIdle(db: Database, id: number, idleSince: number, now: number): boolean {
  const idle = db.get(
    `SELECT 1 FROM conversations WHERE id = ? AND stage = 0 AND last_activity_at <= ?
      AND (lease_holder IS NULL OR lease_expires_at <= ?)`,
    id,
    idleSince,
    now,
  );
  if (idle === undefined) return false;
  hideConversation(db, id, now);
  return true;
}

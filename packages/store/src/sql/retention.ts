/** Deletes conversations that were inactive for a while. A tree stays as long as one of its conversations is active. */
import type { Scope } from "../contract/scope.ts";
import { lockWithTree } from "./conversations.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { removeConversation } from "./staging.ts";
import { hideConversation } from "./tree.ts";
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
          WHERE c.stage = 0 AND c.last_activity_at <= ? AND NOT EXISTS (SELECT 1 FROM conversations o
            WHERE (o.id = coalesce(c.tree, c.id) OR o.tree = coalesce(c.tree, c.id))
            AND o.stage = 0 AND o.last_activity_at > ?)
          AND (CAST(? AS TEXT) IS NULL OR s.tenant = ?)
          AND (CAST(? AS TEXT) IS NULL OR s.project = ?) AND (CAST(? AS TEXT) IS NULL OR s."user" = ?)
          ORDER BY c.id DESC`,
        idleSince,
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

/** Deletes everything of a tenant: conversations, including those in use, spending, secrets, and names of scopes. */
export async function deleteTenant(
  db: SqlDatabase,
  tenant: string,
  now: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const deleted: number[] = [];
  for (;;) {
    const rows = await db.read(
      () =>
        db.all<{ id: number; stage: number }>(
          `SELECT c.id, c.stage FROM conversations c JOIN scopes s ON s.id = c.scope WHERE s.tenant = ? AND c.stage <> 2
            ORDER BY c.id DESC`,
          tenant,
        ),
      signal,
    );
    for (const { id, stage } of rows) {
      await db.write(function* () {
        const row = yield* lockWithTree(db, id);
        if (row !== null) yield* hideConversation(db, row, now);
      }, signal);
      await removeConversation(db, id, now);
      if (stage !== 3) deleted.push(id);
    }
    if (rows.length === 0) break;
  }
  await db.write(function* () {
    const scopes = "SELECT id FROM scopes WHERE tenant = ?";
    yield* db.run(`DELETE FROM spending WHERE scope IN (${scopes})`, tenant);
    yield* db.run(`DELETE FROM secrets WHERE scope IN (${scopes})`, tenant);
    // A scope that has new conversations meanwhile is not deleted.
    yield* db.run(
      `DELETE FROM scopes WHERE tenant = ? AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.scope = scopes.id)
        AND NOT EXISTS (SELECT 1 FROM search_segments t WHERE t.scope = scopes.id)`,
      tenant,
    );
    yield* db.run("DELETE FROM secrets WHERE scope NOT IN (SELECT id FROM scopes)");
  }, signal);
  return deleted;
}

/** The conversation may have been written to, or leased, since the list was made. */
function* hideIfIdle(db: SqlDatabase, id: number, idleSince: number, now: number): Work<boolean> {
  const row = yield* lockWithTree(db, id);
  if (row === null || row.stage !== 0 || row.last_activity_at > idleSince) return false;
  if (row.lease_holder !== null && (row.lease_expires_at ?? 0) > now) return false;
  yield* hideConversation(db, row, now);
  return true;
}

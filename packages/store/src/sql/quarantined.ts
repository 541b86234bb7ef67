/** Turns of all scopes that were closed because they crashed the processes that ran them. */
import type { CallOptions } from "../contract/call-options.ts";
import type { QuarantinedTurn } from "../contract/store-maintenance.ts";
import type { SqlDatabase } from "./sql-database.ts";
import { fromColumn } from "./text-column.ts";

const PIECE = 200;

const FIND = `SELECT c.id, t.ordinal, s.tenant, s.project, s."user", c.conversation, t.turn_id, t.closed_at
FROM (
  SELECT turns.conversation AS owner, turns.* FROM turns WHERE turns.exit = 'quarantined'
  UNION ALL
  SELECT lineage.conversation AS owner, turns.* FROM turns
    JOIN lineage ON lineage.part = turns.conversation AND turns.opened_seq <= lineage.upto
      AND lineage.conversation <> lineage.part
    WHERE turns.exit = 'quarantined' AND NOT EXISTS (
      SELECT 1 FROM lineage later JOIN turns newer ON newer.conversation = later.part
        AND newer.ordinal = turns.ordinal AND newer.opened_seq <= later.upto
      WHERE later.conversation = lineage.conversation AND later.upto > lineage.upto)
) t JOIN conversations c ON c.id = t.owner JOIN scopes s ON s.id = c.scope
WHERE c.stage = 0 AND (c.id > ? OR (c.id = ? AND t.ordinal > ?))
ORDER BY c.id, t.ordinal LIMIT ${PIECE}`;

interface QuarantinedRow {
  readonly id: number;
  readonly ordinal: number;
  readonly tenant: string;
  readonly project: string;
  readonly user: string;
  readonly conversation: string;
  readonly turn_id: string;
  readonly closed_at: string | null;
}

export async function* listQuarantined(db: SqlDatabase, { signal }: CallOptions): AsyncGenerator<QuarantinedTurn> {
  for (let [id, ordinal] = [0, 0]; ; ) {
    const after = [id, id, ordinal];
    const rows = await db.read(() => db.all<QuarantinedRow>(FIND, ...after), signal);
    for (const { tenant, project, user, conversation, turn_id, closed_at } of rows)
      yield {
        key: { tenant, project, user, conversation },
        turn_id: fromColumn(turn_id),
        closed_at: closed_at === null ? null : fromColumn(closed_at),
      };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PIECE) return;
    [id, ordinal] = [last.id, last.ordinal];
  }
}

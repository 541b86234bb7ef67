/** The work that is left: conversations with an open turn, or with a message nobody has taken up. */
import type { UnfinishedConversation } from "../contract/store-maintenance.ts";
import type { SqlDatabase } from "./sql-database.ts";

const PIECE = 200;

const FIND = `SELECT c.id, s.tenant, s.project, s."user", c.conversation, c.last_seq, c.lease_expires_at
FROM conversations c JOIN scopes s ON s.id = c.scope
WHERE c.stage = 0 AND c.id > ? AND c.id IN (
  SELECT o.id FROM conversations o JOIN turns t ON t.conversation = o.id AND t.turn_id = o.current_turn
  WHERE o.current_turn IS NOT NULL AND t.opened_at IS NOT NULL
  UNION SELECT conversation FROM pending
) ORDER BY c.id LIMIT ${PIECE}`;

interface UnfinishedRow {
  readonly id: number;
  readonly tenant: string;
  readonly project: string;
  readonly user: string;
  readonly conversation: string;
  readonly last_seq: number;
  readonly lease_expires_at: number | null;
}

export async function* listUnfinished(db: SqlDatabase, signal?: AbortSignal): AsyncGenerator<UnfinishedConversation> {
  for (let after = 0; ; ) {
    const rows = await db.read(() => db.all<UnfinishedRow>(FIND, after), signal);
    for (const { id, last_seq, lease_expires_at, ...key } of rows) {
      after = id;
      yield { key, last_seq, held_until: lease_expires_at };
    }
    if (rows.length < PIECE) return;
  }
}

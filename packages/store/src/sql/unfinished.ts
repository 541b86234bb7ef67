/** The unfinished work: conversations with an open turn or with a waiting message. */
import type { Clock } from "@cairn/timeline";
import { type ConversationKey, checkConversationKey } from "../contract/scope.ts";
import type { UnfinishedConversation, UnfinishedOptions } from "../contract/store-maintenance.ts";
import type { ConversationRow } from "./conversations.ts";
import { heldMs } from "./lease.ts";
import type { SqlDatabase } from "./sql-database.ts";

const PIECE = 200;

const COLUMNS = `c.id, s.tenant, s.project, s."user", c.conversation, c.last_seq,
  c.lease_holder, c.lease_expires_at, c.lease_ttl_ms`;

const FIND = `SELECT ${COLUMNS}
FROM conversations c JOIN scopes s ON s.id = c.scope
WHERE c.stage = 0 AND c.id > ? AND c.id IN (
  SELECT o.id FROM conversations o JOIN turns t ON t.conversation = o.id AND t.turn_id = o.current_turn
  WHERE o.current_turn IS NOT NULL AND t.opened_at IS NOT NULL
  UNION SELECT conversation FROM pending
) ORDER BY c.id LIMIT ${PIECE}`;

/** Restricts the query to some conversations. Both databases name the columns of `VALUES` in the same way. */
function findAmong(count: number): string {
  const rows = Array.from({ length: count }, () => "(?, ?, ?, ?)").join(", ");
  return `SELECT ${COLUMNS}
FROM (VALUES ${rows}) AS k
JOIN scopes s ON s.tenant = k.column1 AND s.project = k.column2 AND s."user" = k.column3
JOIN conversations c ON c.scope = s.id AND c.conversation = k.column4
WHERE c.stage = 0 AND (
  EXISTS (SELECT 1 FROM pending p WHERE p.conversation = c.id) OR EXISTS (
    SELECT 1 FROM turns t WHERE t.conversation = c.id AND t.turn_id = c.current_turn AND t.opened_at IS NOT NULL))`;
}

/** Conversations per query, so that only two statements are prepared: for one conversation, and for a page. */
const PAGE = 50;
const FIND_ONE = findAmong(1);
const FIND_PAGE = findAmong(PAGE);

type LeaseColumns = Pick<ConversationRow, "lease_holder" | "lease_expires_at" | "lease_ttl_ms">;

interface UnfinishedRow extends ConversationKey, LeaseColumns {
  readonly id: number;
  readonly last_seq: number;
}

export async function* listUnfinished(
  db: SqlDatabase,
  clock: Clock,
  { among, signal }: UnfinishedOptions,
): AsyncGenerator<UnfinishedConversation> {
  for (const key of among ?? []) checkConversationKey(key);
  const pieces = among === undefined ? readAll(db, signal) : readAmong(db, among, signal);
  for await (const rows of pieces)
    for (const { tenant, project, user, conversation, last_seq, ...row } of rows)
      yield { key: { tenant, project, user, conversation }, last_seq, held_ms: heldMs(row, clock.now()) };
}

async function* readAll(db: SqlDatabase, signal: AbortSignal | undefined): AsyncGenerator<readonly UnfinishedRow[]> {
  for (let after = 0; ; ) {
    const rows = await db.read(() => db.all<UnfinishedRow>(FIND, after), signal);
    yield rows;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PIECE) return;
  }
}

async function* readAmong(
  db: SqlDatabase,
  keys: readonly ConversationKey[],
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly UnfinishedRow[]> {
  for (let at = 0; at < keys.length; at += PAGE) {
    const values: (string | null)[] = keys
      .slice(at, at + PAGE)
      .flatMap(({ tenant, project, user, conversation }) => [tenant, project, user, conversation]);
    const sql = values.length === 4 ? FIND_ONE : FIND_PAGE;
    while (sql === FIND_PAGE && values.length < 4 * PAGE) values.push(null);
    yield await db.read(() => db.all<UnfinishedRow>(sql, ...values), signal);
  }
}

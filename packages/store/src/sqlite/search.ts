/** Full-text search within a scope. The newest match comes first, so that no other scope's words can move a result. */
import type { Page, PageOptions } from "../contract/call-options.ts";
import type { SearchHit } from "../contract/records.ts";
import { checkPart, checkScope, type Scope } from "../contract/scope.ts";
import { blockOfRow } from "./block-row.ts";
import { requireConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { EVENT_COLUMNS, type EventRow } from "./event-row.ts";
import { decodeCursor, encodeCursor, pageLimit } from "./paging.ts";
import { excerptOf, matchExpression, queryWords } from "./search-text.ts";

interface HitRow extends EventRow {
  readonly id: number;
  readonly name: string;
}

const columns = EVENT_COLUMNS.split(", ").map((column) => `e.${column}`);

// The index is narrowed to the scope by a word every row carries; the join says it once more, in the scope's own terms.
const SEARCH = `SELECT e.id, c.conversation AS name, ${columns.join(", ")}
FROM search JOIN events e ON e.id = search.rowid JOIN conversations c ON c.id = e.conversation
WHERE search MATCH ? AND search.rowid < ? AND c.scope = ? AND c.stage = 0
ORDER BY search.rowid DESC LIMIT ?`;

export function search(
  db: Database,
  scope: Scope,
  query: string,
  options: PageOptions & { readonly conversation?: string },
): Page<SearchHit> {
  checkScope(scope);
  const limit = pageLimit(options.limit, 50);
  const [before = Number.MAX_SAFE_INTEGER] = decodeCursor(options.cursor, 1) ?? [];
  const { conversation } = options;
  if (conversation !== undefined) checkPart("conversation", conversation);
  const within = conversation === undefined ? null : requireConversation(db, { ...scope, conversation });
  const words = queryWords(query);
  const number = within?.scope ?? knownScope(db, scope);
  if (words.length === 0 || number === null) return { items: [], next: null };
  const match = matchExpression(words, within === null ? `s${number}` : `c${within.id}`);
  const rows = db.all<HitRow>(SEARCH, match, before, number, limit + 1);
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).flatMap((row) => describeHit(row, words)),
    next: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
  };
}

function describeHit(row: HitRow, words: readonly string[]): SearchHit[] {
  const found = blockOfRow(row);
  if (found === null) return [];
  const { block, position } = found;
  return [
    {
      conversation: row.name,
      seq: row.seq,
      position,
      turn_id: block.turn_id ?? null,
      type: block.type,
      path: block.path ?? null,
      excerpt: excerptOf(block.text ?? "", words),
    },
  ];
}

function knownScope(db: Database, scope: Scope): number | null {
  return (
    db.get<{ id: number }>(
      "SELECT id FROM scopes WHERE tenant = ? AND project = ? AND user = ?",
      scope.tenant,
      scope.project,
      scope.user,
    )?.id ?? null
  );
}

/** Full-text search within a scope. The newest match comes first, so that no other scope's words can move a result. */
import type { Page, PageOptions } from "../contract/call-options.ts";
import type { SearchHit } from "../contract/records.ts";
import { checkPart, checkScope, type Scope } from "../contract/scope.ts";
import { requireConversation } from "../sql/conversations.ts";
import { EVENT_COLUMNS } from "../sql/event-row.ts";
import { decodeCursor, encodeCursor, pageLimit } from "../sql/paging.ts";
import { describeHit, type HitRow, knownScope } from "../sql/search-hit.ts";
import { matchExpression, queryWords } from "../sql/search-text.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import type { Work } from "../sql/work.ts";

const columns = EVENT_COLUMNS.split(", ").map((column) => `e.${column}`);

// The index is narrowed to the scope by a word every row carries; the join says it once more, in the scope's own terms.
const SEARCH = `SELECT e.id, c.conversation AS name, ${columns.join(", ")}
FROM search JOIN events e ON e.id = search.rowid JOIN conversations c ON c.id = e.conversation
WHERE search MATCH ? AND search.rowid < ? AND c.scope = ? AND c.stage = 0
ORDER BY search.rowid DESC LIMIT ?`;

export function* search(
  db: SqlDatabase,
  scope: Scope,
  query: string,
  options: PageOptions & { readonly conversation?: string },
): Work<Page<SearchHit>> {
  checkScope(scope);
  const limit = pageLimit(options.limit, 50);
  const [before = Number.MAX_SAFE_INTEGER] = decodeCursor(options.cursor, 1) ?? [];
  const { conversation } = options;
  if (conversation !== undefined) checkPart("conversation", conversation);
  const within = conversation === undefined ? null : yield* requireConversation(db, { ...scope, conversation });
  const words = queryWords(query);
  const number = within?.scope ?? (yield* knownScope(db, scope));
  if (words.length === 0 || number === null) return { items: [], next: null };
  const match = matchExpression(words, within === null ? `s${number}` : `c${within.id}`);
  const rows = yield* db.all<HitRow>(SEARCH, match, before, number, limit + 1);
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).flatMap((row) => describeHit(row, words)),
    next: rows.length > limit && last !== undefined ? encodeCursor(last.id) : null,
  };
}

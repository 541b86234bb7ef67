/** The conversations of a tree as an export file holds them: the first one, then its branches. */
import { storeError } from "../contract/errors.ts";
import { type ConversationRow, conversationById } from "../sql/conversations.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import { treeOf } from "../sql/tree.ts";
import type { Work } from "../sql/work.ts";

/**
 * In the order they were made, with deleted ones that branches need. Null when no other conversation of the tree is
 * visible: the file then holds this one with all its events.
 */
export function* treeMembers(db: SqlDatabase, row: ConversationRow): Work<readonly ConversationRow[] | null> {
  if (row.parent === null && row.kept_seq === 0 && !(yield* hasOthers(db, row))) return null;
  const members = (yield* treeOf(db, row)).reverse();
  return members.filter(({ stage }) => stage === 0).length < 2 ? null : members;
}

function* hasOthers(db: SqlDatabase, { id }: ConversationRow): Work<boolean> {
  return (yield* db.get("SELECT 1 FROM conversations WHERE tree = ? LIMIT 1", id)) !== undefined;
}

/** Throws `not_found` when a conversation of the tree was deleted while the file is written. */
export function* requireMember(db: SqlDatabase, id: number): Work<ConversationRow> {
  const row = yield* conversationById(db, id);
  if (row === null || (row.stage !== 0 && row.stage !== 3))
    throw storeError("not_found", "A branch of the conversation was deleted while it was exported. Export it again.");
  return row;
}

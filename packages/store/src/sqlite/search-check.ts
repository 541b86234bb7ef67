/**
 * Compares the full-text index with the events. The index keeps no texts, so it is asked: every event that has words
 * must be found by the first of them and by its scope, and no other event may be found at all.
 */
import { indexRows, type TimelineEvent } from "@cairn/timeline";
import type { ConversationRow } from "./conversations.ts";
import type { Database } from "./database.ts";
import { searchableUpTo } from "./search-index.ts";
import { matchWords, searchText, wholeWords } from "./search-text.ts";

const FIND = "SELECT rowid FROM search WHERE search MATCH ? AND rowid = ?";

/**
 * False when the words of this event are missing from the index, or are there and should not be. `scratch` is an empty
 * database of the same schema: what is not found there either, the index has no words for.
 */
export function isIndexedRightly(
  db: Database,
  scratch: Database,
  row: ConversationRow,
  event: TimelineEvent,
  id: number,
): boolean {
  const text = indexRows(event)
    .texts.map((each) => each.text)
    .join("\n");
  if (text === "" || id > searchableUpTo(db))
    return db.get("SELECT rowid FROM search WHERE rowid = ?", id) === undefined;
  const scope = `s${row.scope} c${row.id}`;
  const match = matchWords(wholeWords(text), scope);
  if (db.get(FIND, match, id) !== undefined) return true;
  scratch.run("INSERT INTO search (rowid, scope, text) VALUES (?, ?, ?)", id, scope, searchText(text));
  const isFindable = scratch.get(FIND, match, id) !== undefined;
  scratch.run("DELETE FROM search WHERE rowid = ?", id);
  return !isFindable;
}

/** Words of events that are not there any more: an event that gets the number later would be found by them. */
export function strayWords(db: Database): number[] {
  return db
    .all<{ id: number }>("SELECT rowid AS id FROM search WHERE rowid NOT IN (SELECT id FROM events)")
    .map(({ id }) => id);
}

/**
 * Compares the full-text index with the events. The index keeps no texts, so it is asked: every event that has words
 * must be in it, and no other. Whether it is found by its first words and its scope is asked for some events only,
 * because the answer takes as long as these words are common.
 */
import { indexRows, type TimelineEvent } from "@cairn/timeline";
import type { ConversationRow } from "./conversations.ts";
import type { Database } from "./database.ts";
import { searchableUpTo } from "./search-index.ts";
import { matchWords, searchText, wholeWords } from "./search-text.ts";

const FIND = "SELECT rowid FROM search WHERE search MATCH ? AND rowid = ?";

/** False when this event is missing from the index, or is there and should not be. */
export function isIndexed(db: Database, event: TimelineEvent, id: number): boolean {
  const isThere = db.get("SELECT rowid FROM search WHERE rowid = ?", id) !== undefined;
  return isThere === (textOf(event) !== "" && id <= searchableUpTo(db));
}

/**
 * False when an event that is in the index is not found by its words and its scope. `scratch` is an empty database of
 * the same schema: what is not found there either, the index has no words for.
 */
export function isFound(
  db: Database,
  scratch: Database,
  row: ConversationRow,
  event: TimelineEvent,
  id: number,
): boolean {
  const text = textOf(event);
  if (text === "" || id > searchableUpTo(db)) return true;
  const scope = `s${row.scope} c${row.id}`;
  const match = matchWords(wholeWords(text), scope);
  if (db.get(FIND, match, id) !== undefined) return true;
  scratch.run("INSERT INTO search (rowid, scope, text) VALUES (?, ?, ?)", id, scope, searchText(text));
  const isFindable = scratch.get(FIND, match, id) !== undefined;
  scratch.run("DELETE FROM search WHERE rowid = ?", id);
  return !isFindable;
}

function textOf(event: TimelineEvent): string {
  return indexRows(event)
    .texts.map((each) => each.text)
    .join("\n");
}

/** Words of events that are not there any more: an event that gets the number later would be found by them. */
export function strayWords(db: Database): number[] {
  return db
    .all<{ id: number }>("SELECT rowid AS id FROM search WHERE rowid NOT IN (SELECT id FROM events)")
    .map(({ id }) => id);
}

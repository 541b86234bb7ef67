/**
 * Whether the full-text index has an event's own words. It keeps no texts, so it is asked for the first of them, within
 * the event's scope. The answer takes as long as these words are common.
 */
import { DatabaseSync } from "node:sqlite";
import { matchWords, searchText, wholeWords } from "../sql/search-text.ts";
import type { SqlDatabase } from "../sql/sql-database.ts";
import type { IndexedConversation } from "../sql/text-index.ts";
import type { Work } from "../sql/work.ts";
import { SEARCH_TABLE } from "./schema.ts";

const FIND = "SELECT rowid FROM search WHERE search MATCH ? AND rowid = ?";

export class SearchCheck {
  /** An index of the same form with nothing in it: what is not found there either, the index has no words for. */
  #scratch: DatabaseSync | null = null;

  /** False when an event that is in the index is not found by its words and its scope. */
  *isFound(db: SqlDatabase, conversation: IndexedConversation, text: string, id: number): Work<boolean> {
    const scope = `s${conversation.scope} c${conversation.id}`;
    const match = matchWords(wholeWords(text), scope);
    if ((yield* db.get(FIND, match, id)) !== undefined) return true;
    return !this.#isFindable(match, scope, searchText(text));
  }

  #isFindable(match: string, scope: string, text: string): boolean {
    if (this.#scratch === null) {
      this.#scratch = new DatabaseSync(":memory:");
      this.#scratch.exec(SEARCH_TABLE);
    }
    this.#scratch.prepare("INSERT INTO search (rowid, scope, text) VALUES (1, ?, ?)").run(scope, text);
    const found = this.#scratch.prepare(FIND).get(match, 1);
    this.#scratch.prepare("DELETE FROM search WHERE rowid = 1").run();
    return found !== undefined;
  }
}

/** The full-text index, as the rest of the store uses it. */
import type { Page } from "../contract/call-options.ts";
import type { SearchHit } from "../contract/records.ts";
import type { Scope } from "../contract/scope.ts";
import type { SearchOptions } from "../contract/search-options.ts";
import type { Work } from "./work.ts";

export interface IndexedConversation {
  readonly id: number;
  readonly scope: number;
}

export interface TextIndex {
  /** Behind an event that was just written, in its transaction. */
  add(conversation: IndexedConversation): void;
  /** Inside a write transaction: removes every word of a conversation. */
  forget(conversation: IndexedConversation): Work<void>;
  /** Inside a write transaction: the words of a conversation are removed, and indexed anew by the next search. */
  reindex(conversation: IndexedConversation): Work<void>;
  /** After an append: may index a piece of what waits in the scope. */
  keepUp(scope: number): Promise<void>;
  /** After a whole journal arrived: indexes all that waits in the scope, when it is much. */
  keepUpWhole(scope: number): Promise<void>;
  search(scope: Scope, query: string, options: SearchOptions): Promise<Page<SearchHit>>;
}

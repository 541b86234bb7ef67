/** The interface of the full-text index for the rest of the store. */
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
  /** Called in the transaction of an event, after it was written. */
  add(conversation: IndexedConversation): void;
  /** Inside a write transaction: removes every word of a conversation. */
  forget(conversation: IndexedConversation): Work<void>;
  /** Inside a write transaction: removes the words of a conversation; the next search indexes them again. */
  reindex(conversation: IndexedConversation): Work<void>;
  /** After an append: may index a batch of waiting events of the scope. */
  keepUp(scope: number): Promise<void>;
  /** After a whole journal was added: indexes all waiting events of the scope, if there are many. */
  keepUpWhole(scope: number): Promise<void>;
  search(scope: Scope, query: string, options: SearchOptions): Promise<Page<SearchHit>>;
}

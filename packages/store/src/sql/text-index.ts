/** The full-text index, which each database has its own form of. */
import type { TimelineEvent } from "@cairn/timeline";
import type { Page, PageOptions } from "../contract/call-options.ts";
import type { SearchHit } from "../contract/records.ts";
import type { Scope } from "../contract/scope.ts";
import type { Work } from "./work.ts";

export interface IndexedConversation {
  readonly id: number;
  readonly scope: number;
}

export interface TextIndex {
  /** Behind an event that was just written, in its transaction. */
  add(conversation: IndexedConversation, event: TimelineEvent, seq: number): Work<void>;
  /** In the transaction that removes these events, before it does. */
  forget(conversation: number, events: readonly number[]): Work<void>;
  /** In the same transaction, after they were removed. */
  settle(): Work<void>;
  /** Indexes one conversation anew. */
  reindex(conversation: IndexedConversation): Work<void>;
  /**
   * False when the words of an event are missing, or are there and should not be. `id` is the event's number. An index
   * may look at the words themselves only when asked to be thorough.
   */
  isRight(conversation: IndexedConversation, event: TimelineEvent, id: number, thorough: boolean): Work<boolean>;
  /** Numbers of events that are not there any more and still have words. */
  strays(): Work<number[]>;
  /** After an append: may index a piece of what waits. */
  keepUp(): Promise<void>;
  /** After a whole journal arrived: may index all of what waits. */
  keepUpWhole(): Promise<void>;
  search(
    scope: Scope,
    query: string,
    options: PageOptions & { readonly conversation?: string },
  ): Promise<Page<SearchHit>>;
}

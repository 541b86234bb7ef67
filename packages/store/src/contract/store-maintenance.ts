/** What an operator does to a whole store. These calls know no scope: never hand them to a user. */
import type { CallOptions } from "./call-options.ts";
import type { Defect } from "./conversation-store.ts";
import type { Spending } from "./records.ts";
import type { ConversationKey, Scope } from "./scope.ts";

export interface GcReport {
  readonly blobs: number;
  readonly bytes: number;
  /** References no event named in time. */
  readonly references: number;
  /** Halves of writes that never finished: temporary files, imports and forks cut short. */
  readonly leftovers: number;
}

export interface GcOptions extends CallOptions {
  readonly graceMs?: number;
  /** Writes the whole database anew, which takes long and as much space again. Others wait meanwhile. */
  readonly vacuum?: boolean;
}

/** A conversation somebody has to go on with. */
export interface UnfinishedConversation {
  readonly key: ConversationKey;
  readonly last_seq: number;
  /** For how many milliseconds more somebody may be at it, by the store's clock; 0 when nobody holds its lease. */
  readonly held_ms: number;
}

export interface UnfinishedOptions extends CallOptions {
  /** Only these, in any order; those that are not there are left out. */
  readonly among?: readonly ConversationKey[];
}

/** A turn that was closed because it ended the processes that ran it, and that nobody has released since. */
export interface QuarantinedTurn {
  readonly key: ConversationKey;
  readonly turn_id: string;
  readonly closed_at: string | null;
}

/** What a scope spent within one minute. */
export interface SpentMinute extends Spending {
  readonly scope: Scope;
  /** When the minute began, in epoch milliseconds. */
  readonly at: number;
}

/** What a user and all users of its tenant keep, in bytes. */
export interface StoredBytes {
  readonly user: number;
  readonly tenant: number;
}

export interface StoreMaintenance {
  /** Every conversation of every scope, one after the other; those made meanwhile may be among them. */
  conversations(options?: CallOptions): AsyncIterable<ConversationKey>;
  /**
   * Conversations of all scopes with an open turn, or a message nobody has taken up: what whoever runs turns has to do.
   * Costs what is unfinished, not what is stored; or, for those `among` some conversations, what these are.
   */
  unfinished(options?: UnfinishedOptions): AsyncIterable<UnfinishedConversation>;
  /** The turns in quarantine, of all scopes. Looks through all turns. */
  quarantined(options?: CallOptions): AsyncIterable<QuarantinedTurn>;
  /**
   * What the scope's user and its tenant keep: the text of conversations, and files, each once. For the tenant, files
   * count until `gc` has removed them. Text that versions before this call wrote does not count.
   */
  storedBytes(scope: Scope, options?: CallOptions): Promise<StoredBytes>;
  /** What every scope has spent, minute by minute: also that of conversations that were deleted. */
  spentMinutes(options?: CallOptions): AsyncIterable<SpentMinute>;
  /**
   * Takes over what was spent in another store. Of a minute that both know, the larger amounts count: so it may be
   * repeated.
   */
  keepSpentMinutes(minutes: readonly SpentMinute[], options?: CallOptions): Promise<void>;
  /**
   * Removes what nothing has referred to for `graceMs` (an hour by default), and what deleted text has left behind in
   * the database's files. Safe beside readers and writers.
   */
  gc(options?: GcOptions): Promise<GcReport>;
  /** Deletes conversations without activity for `idleMs`, of all scopes or of those that match; gives how many. */
  applyRetention(options: CallOptions & { readonly idleMs: number; readonly scope?: Partial<Scope> }): Promise<number>;
  /** Deletes everything of a tenant but its blobs, which `gc` removes; gives how many conversations that were. */
  deleteTenant(tenant: string, options?: CallOptions): Promise<number>;
  /** Copies the whole store, as it is at one moment, into a new folder that opens as a store. Writers go on meanwhile. */
  backup(folder: string, options?: CallOptions): Promise<void>;
  /** Every defect of the store, found one after the other. Safe beside readers and writers. */
  verify(options?: CallOptions): AsyncIterable<Defect>;
  /**
   * Makes anew what is derived from the events wherever it is not what they give: indexes, turns, words, snapshots,
   * counters. Gives the defects that remain, which are damage to the truth itself. Safe beside readers and writers.
   */
  repair(options?: CallOptions): AsyncIterable<Defect>;
}

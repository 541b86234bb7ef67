/** Maintenance of a whole store by an operator. These calls ignore scopes, so they must never be exposed to users. */
import type { CallOptions } from "./call-options.ts";
import type { Defect } from "./conversation-store.ts";
import type { Spending } from "./records.ts";
import type { ConversationKey, Scope } from "./scope.ts";

export interface GcReport {
  readonly blobs: number;
  readonly bytes: number;
  /** Number of references that were removed because no event named their blob in time. */
  readonly references: number;
  /** Remains of interrupted writes: temporary files, incomplete imports and forks. */
  readonly leftovers: number;
}

export interface GcOptions extends CallOptions {
  readonly graceMs?: number;
  /** Rewrites the whole database. Rewriting takes long, needs as much space again, and blocks other calls. */
  readonly vacuum?: boolean;
}

export interface UnfinishedConversation {
  readonly key: ConversationKey;
  readonly last_seq: number;
  /** Milliseconds until the current lease expires, by the store's clock; 0 without a lease. */
  readonly held_ms: number;
}

export interface UnfinishedOptions extends CallOptions {
  /** Only these conversations, in any order; those that do not exist are ignored. */
  readonly among?: readonly ConversationKey[];
}

/** A turn that was closed because it crashed the processes that ran it, and that was not released since. */
export interface QuarantinedTurn {
  readonly key: ConversationKey;
  readonly turn_id: string;
  readonly closed_at: string | null;
}

export interface SpentMinute extends Spending {
  readonly scope: Scope;
  /** Start of the minute, in epoch milliseconds. */
  readonly at: number;
}

/** An encrypted value of a scope. */
export interface StoredSecret {
  readonly scope: Scope;
  readonly name: string;
  readonly value: Uint8Array;
}

/** Bytes that a user stores, and that all users of its tenant store. */
export interface StoredBytes {
  readonly user: number;
  readonly tenant: number;
}

export interface StoreMaintenance {
  /** Every conversation of every scope, one after the other. Conversations created meanwhile may be included. */
  conversations(options?: CallOptions): AsyncIterable<ConversationKey>;
  /**
   * Conversations of all scopes with an open turn or with a message that no turn has taken: the work for processes that
   * run turns. The cost depends on the unfinished conversations, or on `among`, and not on what is stored.
   */
  unfinished(options?: UnfinishedOptions): AsyncIterable<UnfinishedConversation>;
  /** The quarantined turns of all scopes. Scans all turns. */
  quarantined(options?: CallOptions): AsyncIterable<QuarantinedTurn>;
  /**
   * The storage used by the scope's user and by its tenant: text of conversations, and files, each counted once. For
   * the tenant, files count until `gc` has removed them. Text that earlier versions of the program stored without
   * counting is left out.
   */
  storedBytes(scope: Scope, options?: CallOptions): Promise<StoredBytes>;
  /** The spending of every scope, minute by minute, including that of deleted conversations. */
  spentMinutes(options?: CallOptions): AsyncIterable<SpentMinute>;
  /** Imports the spending of another store; may be repeated. If both know a minute, the larger amounts count. */
  keepSpentMinutes(minutes: readonly SpentMinute[], options?: CallOptions): Promise<void>;
  /** The secrets of every scope, as they were written. */
  secrets(options?: CallOptions): AsyncIterable<StoredSecret>;
  /** Removes bytes and references that were unused for `graceMs` (default: an hour), and remains of deleted text. */
  gc(options?: GcOptions): Promise<GcReport>;
  /** Deletes conversations that were inactive for `idleMs`, of all or of the matching scopes; returns their number. */
  applyRetention(options: CallOptions & { readonly idleMs: number; readonly scope?: Partial<Scope> }): Promise<number>;
  /** Deletes all data of a tenant except its blobs, which `gc` removes; returns the number of conversations. */
  deleteTenant(tenant: string, options?: CallOptions): Promise<number>;
  /** Copies the whole store, as of one moment, into a new folder that opens as a store. Blocks no writer. */
  backup(folder: string, options?: CallOptions): Promise<void>;
  /** Finds every defect of the store, one after the other. Safe while others read and write. */
  verify(options?: CallOptions): AsyncIterable<Defect>;
  /**
   * Rebuilds all derived data that does not match the events: indexes, turns, words, snapshots, counters. Returns the
   * remaining defects, which are damage to the events themselves. Safe while others read and write.
   */
  repair(options?: CallOptions): AsyncIterable<Defect>;
}

/**
 * Conversations that survive: one journal of events each, with what is indexed and referenced beside it.
 *
 * Every call names its scope, and nothing crosses it. A call that changes something is one transaction: when it
 * returns it is durable, when it throws nothing of it was kept. Errors are `CairnError`s (`errors.ts`).
 */
import type { BlobRef, Json, JsonObject, TimelineEvent } from "@cairn/timeline";
import type { BlobInfo, ByteRange, ByteSource } from "./blob-store.ts";
import type { CallOptions, Page, PageOptions } from "./call-options.ts";
import type {
  Appended,
  ConversationInfo,
  FoundPath,
  Lease,
  LoadedConversation,
  OpenStream,
  SearchHit,
  Spending,
  StoredArtifact,
  StoredEvent,
  StoredTurn,
  TurnPage,
} from "./records.ts";
import type { ConversationKey, Scope } from "./scope.ts";
import type { SearchOptions } from "./search-options.ts";

export interface AppendOptions extends CallOptions {
  /** Needed as soon as one event is a timeline event (any kind outside `INPUT_KINDS`). */
  readonly lease?: { readonly token: number; readonly expectedSeq: number };
  /** Streams whose blocks land with this batch: dropped in the same transaction. Needs the lease. */
  readonly dropStreams?: readonly string[];
  /** What models were paid for what the batch tells; counted to the scope in the same transaction. Needs the lease. */
  readonly spent?: Spending;
}

export interface ImportOptions extends CallOptions {
  /**
   * The bytes come from a store of the same operator, and the conversation moves: what is open in it goes on. Otherwise
   * whatever the file leaves open is closed, and no consent comes with it.
   */
  readonly moves?: boolean;
}

export interface ConversationStore {
  /**
   * Makes a conversation, with its first events if any are given (nobody can contend yet, so they need no lease).
   * `conversation_exists` when the scope has one of this id.
   */
  createConversation(
    key: ConversationKey,
    options?: CallOptions & { readonly attributes?: JsonObject; readonly events?: readonly TimelineEvent[] },
  ): Promise<ConversationInfo>;
  getConversation(key: ConversationKey, options?: CallOptions): Promise<ConversationInfo>;
  /** The scope's conversations, the most recently active first. */
  listConversations(scope: Scope, options?: PageOptions): Promise<Page<ConversationInfo>>;
  /**
   * What the scope has spent since `since` (epoch milliseconds of the store's clock), to the minute: all of the minute
   * `since` lies in counts. Costs what the window holds. Deleting a conversation gives nothing back; a fork or an import
   * spends nothing.
   */
  spending(scope: Scope, options: CallOptions & { readonly since: number }): Promise<Spending>;
  /** Removes the conversation and its references; bytes nobody else refers to go with `gc` after an hour. */
  deleteConversation(key: ConversationKey, options?: CallOptions): Promise<void>;

  /**
   * Appends a batch, all of it or nothing. Seqs are consecutive and never used twice.
   *
   * Inputs may come from anyone; they are idempotent by kind and `key`: a repeated one appends nothing and has the seq
   * of the first. Timeline events need the lease: a token that is not the current one is `lease_lost`, and an
   * `expectedSeq` other than the seq of the last timeline event is `conflict` (tested in this order). The token alone
   * decides, no clock: a holder whose time ran out may go on until somebody else takes the lease.
   * Block positions must continue the conversation, bodies must be valid: else `bad_event`. A blob an event names must
   * have been put into this conversation: else `blob_missing`.
   */
  append(key: ConversationKey, events: readonly TimelineEvent[], options?: AppendOptions): Promise<Appended>;

  /**
   * Takes the lease for `ttlMs` (1 to 86,400,000) by the store's one clock. `lease_held` while another lease has not
   * run out, whoever holds it, the same holder included. One that has more than twice its time to live left was granted
   * before the clock was set back, and has run out, too.
   */
  acquireLease(key: ConversationKey, holder: string, ttlMs: number, options?: CallOptions): Promise<Lease>;
  /** Extends the lease from now. `lease_lost` when the token is not the current one; late but not taken is fine. */
  renewLease(key: ConversationKey, token: number, ttlMs: number, options?: CallOptions): Promise<Lease>;
  /** Gives the lease back. Afterwards the token is `lease_lost`. Releasing a lease that was lost does nothing. */
  releaseLease(key: ConversationKey, token: number, options?: CallOptions): Promise<void>;

  /** The state now: a snapshot and the short tail behind it. The state is the caller's own. */
  load(key: ConversationKey, options?: CallOptions): Promise<LoadedConversation>;
  /** The state after event `seq`; 0 is the empty state. `not_found` beyond the last event. */
  stateAt(key: ConversationKey, seq: number, options?: CallOptions): Promise<LoadedConversation>;
  /** Events behind `after`, oldest first; at most `limit` (1 to 10,000; 1,000 by default). */
  readEvents(
    key: ConversationKey,
    options?: CallOptions & { readonly after?: number; readonly limit?: number },
  ): Promise<readonly StoredEvent[]>;
  /**
   * Every event behind `after`, then those to come, from any process, each once and in order. It ends without an error
   * when the signal aborts or the store is closed, also while it reads or waits. It throws `not_found` when the
   * conversation is deleted, and `closed` when it begins after the store was closed.
   */
  follow(
    key: ConversationKey,
    options?: { readonly after?: number; readonly signal?: AbortSignal },
  ): AsyncIterable<StoredEvent>;

  /** Keeps a payload beside the journal. The kinds composed from the journal cannot be saved (`bad_argument`). */
  saveArtifact(
    key: ConversationKey,
    artifact: {
      readonly kind: string;
      readonly payload: Json;
      readonly content_str?: string;
      readonly turn_id?: string;
      /** ISO-8601 UTC; the store's clock by default. */
      readonly ts?: string;
    },
    options?: CallOptions,
  ): Promise<StoredArtifact>;
  /** By id (`records.ts`). `not_found` when there is none. */
  getArtifact(key: ConversationKey, id: string, options?: CallOptions): Promise<StoredArtifact>;
  /**
   * The newest artifacts of the kinds asked for, newest first, at most `limit` (1 to 1,000; 20 by default). Kinds are
   * read with or without the prefix `artifact:`. Composed on read: `conv.timeline.v1` and `conv:sources_pool` (one each,
   * of one consistent state), `turn.log` (one per turn that closed), `conv.range.summary` (one per compaction).
   */
  recent(
    key: ConversationKey,
    options: CallOptions & { readonly kinds: readonly string[]; readonly limit?: number; readonly turn_id?: string },
  ): Promise<readonly StoredArtifact[]>;
  /**
   * What stands at a logical path, in any spelling that is read, with `@v<n>` for an earlier version; null when nothing
   * ever did. Reaches what compaction dropped. Throws `bad_path` and `unsafe_path` as the engine does.
   */
  findByPath(key: ConversationKey, path: string, options?: CallOptions): Promise<FoundPath | null>;
  /**
   * Prompts, completions, notes, summaries and file texts, within the scope or one conversation of it: ranked, or as a
   * list of what holds every word (`match`). Case, accents and the spelling of a character (composed, wide, as a
   * ligature) do not matter; any string is a valid query; one without a word finds nothing. Nothing outside the scope
   * changes a result. A conversation that is not there is `not_found`.
   */
  search(scope: Scope, query: string, options?: SearchOptions): Promise<Page<SearchHit>>;
  /** The turns, oldest first, each as its user sees it. */
  turns(key: ConversationKey, options?: PageOptions): Promise<Page<StoredTurn>>;
  /** The journal of the last `limit` (1 to 1,000; 20 by default) turns, or of those before turn number `before`. */
  readTurns(
    key: ConversationKey,
    options?: CallOptions & { readonly before?: number; readonly limit?: number },
  ): Promise<TurnPage>;

  /**
   * Makes `target` in the same scope from the events up to `seq` (0: none), sharing blobs. Beyond the last event it is
   * `not_found`; where a batch had not ended or a call was open, `not_settled`; when the target is taken,
   * `conversation_exists` (tested in this order).
   */
  fork(key: ConversationKey, seq: number, target: string, options?: CallOptions): Promise<ConversationInfo>;
  /** The conversation with its blobs as one file (docs/store.md), streamed. The same conversation gives the same bytes. */
  exportConversation(key: ConversationKey, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Makes a conversation from such a file: all of it, or nothing (`corrupt` when the file is not as it was written). */
  importConversation(key: ConversationKey, file: ByteSource, options?: ImportOptions): Promise<ConversationInfo>;

  /** Stores bytes and refers to them from this conversation. A reference no event names within an hour is dropped by `gc`. */
  putBlob(key: ConversationKey, source: ByteSource, options?: CallOptions): Promise<BlobInfo>;
  /** The bytes, if this conversation refers to them; else `not_found`, even if they exist. */
  readBlob(
    key: ConversationKey,
    ref: BlobRef,
    options?: CallOptions & { readonly range?: ByteRange },
  ): AsyncIterable<Uint8Array>;
  /** The size, or null when this conversation does not refer to such bytes. */
  statBlob(key: ConversationKey, ref: BlobRef, options?: CallOptions): Promise<number | null>;

  /**
   * Adds text to an open stream at `offset` (in UTF-16 units; 0 opens it), outside the journal. Text behind `offset` is
   * replaced, so that a repeated call changes nothing; a gap is `conflict`; more than 4 MB of text is `too_large`.
   * Needs the current token.
   */
  appendStream(
    key: ConversationKey,
    stream: { readonly token: number; readonly stream: string; readonly offset: number; readonly text: string },
    options?: CallOptions,
  ): Promise<void>;
  /** Forgets a stream. Needs the current token. Dropping what is not open does nothing. */
  dropStream(
    key: ConversationKey,
    stream: { readonly token: number; readonly stream: string },
    options?: CallOptions,
  ): Promise<void>;
  /**
   * The open streams, by name; also those a writer left behind when it died. Of a stream in `known`, only the text
   * behind so many characters is given.
   */
  openStreams(
    key: ConversationKey,
    options?: CallOptions & { readonly known?: ReadonlyMap<string, number> },
  ): Promise<readonly OpenStream[]>;

  /** Every defect of one conversation: seqs, events, index, references and the bytes themselves. Empty when all is well. */
  verifyConversation(key: ConversationKey, options?: CallOptions): Promise<readonly Defect[]>;

  /**
   * Ends followers (`follow`) and lets go of files and connections. Calls that have not been answered may still be, or
   * fail with `closed`, `busy` or `io`. Later calls are `closed`.
   */
  close(): Promise<void>;
}

/** Something stored that is not as it was written. */
export interface Defect {
  readonly code:
    | "database_corrupt"
    | "seq_gap"
    | "event_corrupt"
    | "newer_version"
    | "fold_error"
    | "index_missing"
    | "index_mismatch"
    | "snapshot_mismatch"
    | "reference_missing"
    | "blob_missing"
    | "blob_corrupt";
  /** What is wrong and where, for a person. */
  readonly message: string;
  readonly key: ConversationKey | null;
  readonly seq?: number;
  readonly blob?: BlobRef;
}

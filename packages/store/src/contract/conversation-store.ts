/**
 * Durable conversations: each has one journal of events, with its indexes and references.
 *
 * Every call names its scope and never reads or writes outside it. A call that changes something is one transaction:
 * when it returns, the change is durable; when it throws, nothing was saved. Errors are `CairnError`s (`errors.ts`).
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
  LoadedOutline,
  OpenStream,
  OutlineOptions,
  SearchHit,
  Spending,
  SpendingWindow,
  StoredArtifact,
  StoredEvent,
  StoredTurn,
  TurnPage,
  TurnVersions,
} from "./records.ts";
import type { ConversationKey, Scope } from "./scope.ts";
import type { SearchOptions } from "./search-options.ts";

export interface AppendOptions extends CallOptions {
  /** Required if one of the events is a timeline event (any kind outside `INPUT_KINDS`). */
  readonly lease?: { readonly token: number; readonly expectedSeq: number };
  /** Streams whose blocks are in this batch; they are dropped in the same transaction. Requires the lease. */
  readonly dropStreams?: readonly string[];
  /** Cost of the model requests in the batch, added to the scope's spending. Requires the lease. */
  readonly spent?: Spending;
}

export interface DeleteOptions extends CallOptions {
  /** Deletes every conversation of the tree. Otherwise only this conversation is deleted, and its branches stay. */
  readonly tree?: boolean;
}

export interface ImportOptions extends CallOptions {
  /** The conversation comes from another store of the same operator. Open work continues only if this is set. */
  readonly moves?: boolean;
  /** Maximum bytes of a line (default: 64 MB). A longer line throws `too_large`. */
  readonly maxLineBytes?: number;
  /** Maximum conversations of a tree (default: 100,000, the limit of the format). A larger tree throws `too_large`. */
  readonly maxConversations?: number;
}

export interface ConversationStore {
  /**
   * Creates a conversation, with its first events if any are given. These events need no lease, because no other writer
   * knows the conversation yet. Throws `conversation_exists` when the scope has a conversation with this id.
   */
  createConversation(
    key: ConversationKey,
    options?: CallOptions & { readonly attributes?: JsonObject; readonly events?: readonly TimelineEvent[] },
  ): Promise<ConversationInfo>;
  getConversation(key: ConversationKey, options?: CallOptions): Promise<ConversationInfo>;
  /**
   * Characters of all events of the journal: about what a reader of the whole journal holds in memory. For a branch,
   * all events count of each conversation whose events it shares, which may be more.
   */
  storedChars(key: ConversationKey, options?: CallOptions): Promise<number>;
  /**
   * The scope's conversations, most recently active first. Of each tree, only the one that was created or shown last.
   */
  listConversations(scope: Scope, options?: PageOptions): Promise<Page<ConversationInfo>>;
  /**
   * The spending of the scope since `since` (epoch milliseconds of the store's clock), rounded to the minute: the whole
   * minute of `since` counts. With `until`, only the spending before that minute counts. The cost depends on the length
   * of the window. Deleting a conversation does not reduce the spending; a fork or an import does not increase it.
   */
  spending(scope: Scope, options: CallOptions & SpendingWindow): Promise<Spending>;
  /** Returns an encrypted value of the scope unchanged; null when there is none. */
  readSecret(scope: Scope, name: string, options?: CallOptions): Promise<Uint8Array | null>;
  /** Writes an encrypted value of at most 64 KiB, or deletes it (null). The caller encrypts; the store only keeps it. */
  writeSecret(scope: Scope, name: string, value: Uint8Array | null, options?: CallOptions): Promise<void>;
  /**
   * Replaces an existing value by `change(value)`, or deletes it (null), in one transaction. Returns whether the value
   * existed. `change` may be called more than once.
   */
  updateSecret(
    scope: Scope,
    name: string,
    change: (value: Uint8Array) => Uint8Array | null,
    options?: CallOptions,
  ): Promise<boolean>;
  /**
   * Deletes the conversation and its references. Events that a branch needs stay until the last branch that needs them
   * is deleted. `gc` removes bytes without other references after an hour.
   */
  deleteConversation(key: ConversationKey, options?: DeleteOptions): Promise<void>;

  /**
   * Appends a batch, all of it or nothing. Seqs are consecutive and never reused.
   *
   * Anyone may append inputs. Inputs are idempotent by kind and `key`: a repeated input appends nothing and returns the
   * seq of the first. Timeline events need the lease: a token that is not the current one throws `lease_lost`, and an
   * `expectedSeq` other than the seq of the last timeline event throws `conflict` (checked in this order). Only the
   * token decides, not the clock: a holder whose lease has expired may continue until another writer takes it. Block
   * positions must continue the conversation and bodies must be valid; otherwise `bad_event`. Every blob that an event
   * names must have been put into this conversation; otherwise `blob_missing`.
   */
  append(key: ConversationKey, events: readonly TimelineEvent[], options?: AppendOptions): Promise<Appended>;

  /**
   * Takes the lease for `ttlMs` (1 to 86,400,000) by the store's clock. Throws `lease_held` until the current lease
   * expires, even for the same holder. A lease with more than twice its duration left was granted before the clock was
   * set back; it counts as expired.
   */
  acquireLease(key: ConversationKey, holder: string, ttlMs: number, options?: CallOptions): Promise<Lease>;
  /** Extends the lease from now on, even if it has expired. Throws `lease_lost` if another writer has taken it. */
  renewLease(key: ConversationKey, token: number, ttlMs: number, options?: CallOptions): Promise<Lease>;
  /** Releases the lease. Afterwards the token is invalid (`lease_lost`). Releasing a lost lease has no effect. */
  releaseLease(key: ConversationKey, token: number, options?: CallOptions): Promise<void>;

  /** The current state: a snapshot and the events after it. The caller owns the returned state. */
  load(key: ConversationKey, options?: CallOptions): Promise<LoadedConversation>;
  /**
   * What runs and waits, the turns and, on request, the sources. Unlike `load`, this call takes no memory for the texts
   * of blocks and for outputs of client tools. The call does not notice that an event is missing.
   */
  loadOutline(key: ConversationKey, options?: OutlineOptions): Promise<LoadedOutline>;
  /** The state after event `seq`; 0 is the empty state. Throws `not_found` beyond the last event. */
  stateAt(key: ConversationKey, seq: number, options?: CallOptions): Promise<LoadedConversation>;
  /**
   * Events after `after`, oldest first; at most `limit` (1 to 10,000; default 1,000). Events of the kinds `without` are
   * left out, but count. A missing event throws `corrupt`, but is not noticed with `without`.
   */
  readEvents(
    key: ConversationKey,
    options?: CallOptions & { readonly after?: number; readonly limit?: number; readonly without?: readonly string[] },
  ): Promise<readonly StoredEvent[]>;
  /**
   * Every event after `after`, then new ones as any process appends them, each once and in order. Following ends
   * without an error when the signal aborts or the store is closed, even during a read or a wait. Following throws
   * `not_found` when the conversation is deleted, and `closed` when the call comes after the store was closed.
   */
  follow(
    key: ConversationKey,
    options?: { readonly after?: number; readonly signal?: AbortSignal },
  ): AsyncIterable<StoredEvent>;

  /** Saves a payload outside the journal. Kinds that are composed from the journal cannot be saved (`bad_argument`). */
  saveArtifact(
    key: ConversationKey,
    artifact: {
      readonly kind: string;
      readonly payload: Json;
      readonly content_str?: string;
      readonly turn_id?: string;
      /** Time of the artifact, in ISO 8601 UTC (default: the store's clock). */
      readonly ts?: string;
    },
    options?: CallOptions,
  ): Promise<StoredArtifact>;
  /** Finds an artifact by id (`records.ts`). Throws `not_found`. */
  getArtifact(key: ConversationKey, id: string, options?: CallOptions): Promise<StoredArtifact>;
  /**
   * The newest artifacts of the given kinds, newest first, at most `limit` (1 to 1,000; 20 by default). Kinds are
   * accepted with or without the prefix `artifact:`. Four kinds are composed on read: `conv.timeline.v1` and
   * `conv:sources_pool` (one each, of one consistent state), `turn.log` (one per closed turn), `conv.range.summary`
   * (one per compaction).
   */
  recent(
    key: ConversationKey,
    options: CallOptions & { readonly kinds: readonly string[]; readonly limit?: number; readonly turn_id?: string },
  ): Promise<readonly StoredArtifact[]>;
  /**
   * The content at a logical path, in any accepted spelling, with `@v<n>` for an earlier version; null when nothing was
   * ever stored there. The call also finds content that a compaction dropped. Throws `bad_path` and `unsafe_path` as
   * the engine does.
   */
  findByPath(key: ConversationKey, path: string, options?: CallOptions): Promise<FoundPath | null>;
  /**
   * Prompts, completions, notes, summaries and file texts, within the scope or one conversation of it: ranked, or as a
   * list of texts with every word (`match`). Case, accents and the spelling of a character (composed, wide, as a
   * ligature) do not matter; any string is a valid query; a query without a word finds nothing. Nothing outside the
   * scope changes a result. Throws `not_found` for a conversation that does not exist.
   */
  search(scope: Scope, query: string, options?: SearchOptions): Promise<Page<SearchHit>>;
  /** The turns, oldest first, as the user sees them. */
  turns(key: ConversationKey, options?: PageOptions): Promise<Page<StoredTurn>>;
  /**
   * The journal of the last `limit` turns (1 to 1,000; default 20), or of those before turn number `before`. The page
   * has fewer turns if their events take more than `maxBytes` together, but at least one.
   */
  readTurns(
    key: ConversationKey,
    options?: CallOptions & { readonly before?: number; readonly limit?: number; readonly maxBytes?: number },
  ): Promise<TurnPage>;

  /**
   * Creates `target` in the same scope from the events up to `seq` (0: none). Blobs are shared. Throws `not_found`
   * beyond the last event; `not_settled` inside a batch or while a call was open; `conversation_exists` when the target
   * exists (checked in this order).
   */
  fork(key: ConversationKey, seq: number, target: string, options?: CallOptions): Promise<ConversationInfo>;
  /**
   * Creates `target` as a branch: its journal begins with the events of the conversation up to `seq`, which it shares
   * instead of copying them, and then continues independently, with its own lease, streams and followers. The branch
   * becomes the conversation of its tree that lists show. `events` are its first own events; they need no lease. The
   * cost does not depend on the number of shared events, except for finding the state at `seq`. Throws as `fork` does.
   */
  branch(
    key: ConversationKey,
    seq: number,
    target: string,
    options?: CallOptions & { readonly events?: readonly TimelineEvent[] },
  ): Promise<ConversationInfo>;
  /** The conversations of the tree, in the order they were made. Without branches, only this conversation. */
  branches(key: ConversationKey, options?: PageOptions): Promise<Page<ConversationInfo>>;
  /** The turns of the conversation that have several versions in its tree, in order. */
  versions(key: ConversationKey, options?: CallOptions): Promise<readonly TurnVersions[]>;
  /** Makes the conversation the one of its tree that lists show. */
  show(key: ConversationKey, options?: CallOptions): Promise<void>;
  /** Exports the conversation with its blobs as one streamed file (docs/store.md); always the same bytes. */
  exportConversation(key: ConversationKey, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Creates a conversation from an exported file: all of it or nothing. Throws `corrupt` for a damaged file. */
  importConversation(key: ConversationKey, file: ByteSource, options?: ImportOptions): Promise<ConversationInfo>;

  /** Stores bytes with a reference from this conversation. `gc` drops it if no event names it within an hour. */
  putBlob(key: ConversationKey, source: ByteSource, options?: CallOptions): Promise<BlobInfo>;
  /** The bytes, if this conversation has a reference to them; otherwise `not_found`, even if they exist. */
  readBlob(
    key: ConversationKey,
    ref: BlobRef,
    options?: CallOptions & { readonly range?: ByteRange },
  ): AsyncIterable<Uint8Array>;
  /** The size, or null when this conversation has no reference to the bytes. */
  statBlob(key: ConversationKey, ref: BlobRef, options?: CallOptions): Promise<number | null>;

  /**
   * Adds text to an open stream at `offset` (in UTF-16 units; 0 opens it), outside the journal. The text replaces
   * existing text after `offset`, so that a repeated call changes nothing. A gap throws `conflict`; more than 4 MB of
   * text throws `too_large`. Requires the current token.
   */
  appendStream(
    key: ConversationKey,
    stream: { readonly token: number; readonly stream: string; readonly offset: number; readonly text: string },
    options?: CallOptions,
  ): Promise<void>;
  /** Drops a stream. Requires the current token. Dropping a stream that is not open has no effect. */
  dropStream(
    key: ConversationKey,
    stream: { readonly token: number; readonly stream: string },
    options?: CallOptions,
  ): Promise<void>;
  /** The open streams by name, also of a dead writer. `known`: how many characters of a stream are left out. */
  openStreams(
    key: ConversationKey,
    options?: CallOptions & { readonly known?: ReadonlyMap<string, number> },
  ): Promise<readonly OpenStream[]>;

  /** Finds every defect of one conversation: seqs, events, indexes, references and bytes. Empty when there is none. */
  verifyConversation(key: ConversationKey, options?: CallOptions): Promise<readonly Defect[]>;

  /** Ends followers and releases files and connections. Pending calls may fail; later calls throw `closed`. */
  close(): Promise<void>;
}

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
  /** Describes the defect and its place, for people. */
  readonly message: string;
  readonly key: ConversationKey | null;
  readonly seq?: number;
  readonly blob?: BlobRef;
}

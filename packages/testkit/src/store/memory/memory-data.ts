/**
 * The data of the reference store: plain Maps and arrays. Events are stored as the JSON text of their envelopes, so
 * that nobody can change them and reading goes through the codec as in a real store.
 */
import {
  type ConversationKey,
  type ForkOrigin,
  type Scope,
  type Spending,
  type StoredArtifact,
  type StoredEvent,
  type StoredSecret,
  scopeKey,
  storeError,
} from "@cairn/store";
import {
  type BlobRef,
  decodeEvent,
  foldEvents,
  INPUT_KINDS,
  type JsonObject,
  type TimelineEvent,
  type TimelineState,
} from "@cairn/timeline";

export interface JournalRow {
  readonly seq: number;
  readonly stored_at: number;
  /** The envelope of the event, as JSON. */
  readonly envelope: string;
  readonly kind: string;
  /** The seq of the last event of the call that appended the event. */
  readonly endsBatch: boolean;
}

interface MemoryLease {
  readonly token: number;
  readonly holder: string;
  readonly expires_at: number;
  readonly ttl_ms: number;
}

export interface MemoryConversation {
  readonly key: ConversationKey;
  readonly attributes: JsonObject;
  readonly created_at: number;
  last_activity_at: number;
  forked_from: ForkOrigin | null;
  /** The number of the conversation, in the order of creation. */
  readonly number: number;
  /** Number of the tree, the same for all its conversations. */
  tree: number;
  /** Whether lists show the conversation. */
  listed: boolean;
  /** For a branch: for each event up to its cut, the number of the conversation that appended it. */
  owners: readonly number[];
  readonly journal: JournalRow[];
  lease: MemoryLease | null;
  /** For each blob, when its bytes were last stored in this conversation. Events may name only these blobs. */
  readonly references: Map<BlobRef, number>;
  readonly artifacts: StoredArtifact[];
  /** For each saved artifact, the seq of the next event at the time when it was saved. */
  readonly savedBefore: Map<string, number>;
  readonly streams: Map<string, string>;
}

export class MemoryData {
  conversations = new Map<string, MemoryConversation>();
  blobs = new Map<string, { readonly tenant: string; readonly ref: BlobRef; readonly bytes: Uint8Array; at: number }>();
  /** The last lease token of the whole store, so that a token of a deleted conversation is never granted again. */
  lastToken = 0;
  spent: { readonly scope: Scope; readonly at: number; readonly spending: Spending }[] = [];
  secrets: StoredSecret[] = [];
  /** Functions that are called on every change, for followers. */
  readonly #listeners = new Set<() => void>();

  find(key: ConversationKey): MemoryConversation {
    const found = this.conversations.get(scopeKey(key));
    if (found === undefined)
      throw storeError("not_found", `There is no conversation "${key.conversation}" in this scope.`);
    return found;
  }

  changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves when anything changes, or `end` aborts. */
  nextChange(end: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#listeners.delete(wake);
        end.removeEventListener("abort", wake);
        resolve();
      };
      this.#listeners.add(wake);
      end.addEventListener("abort", wake);
    });
  }

  copy(): MemoryData {
    const twin = new MemoryData();
    twin.conversations = structuredClone(this.conversations);
    twin.blobs = structuredClone(this.blobs);
    twin.lastToken = this.lastToken;
    twin.spent = structuredClone(this.spent);
    twin.secrets = structuredClone(this.secrets);
    return twin;
  }
}

export function readRow(row: JournalRow): StoredEvent {
  return { seq: row.seq, stored_at: row.stored_at, event: decodeEvent(JSON.parse(row.envelope)) };
}

const decoded = new WeakMap<JournalRow, TimelineEvent>();

export function stateOf(journal: readonly JournalRow[]): TimelineState {
  return foldEvents(journal.map(eventOf));
}

/** The event of a row. Rows are decoded once and frozen, because every call reads the journal and states share them. */
export function eventOf(row: JournalRow): TimelineEvent {
  const known = decoded.get(row);
  if (known !== undefined) return known;
  const { event } = readRow(row);
  freeze(event);
  decoded.set(row, event);
  return event;
}

/** Handles deep content without recursion. */
function freeze(whole: object): void {
  const left: object[] = [whole];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    Object.freeze(next);
    for (const part of Object.values(next)) if (typeof part === "object" && part !== null) left.push(part);
  }
}

export function lastTimelineSeq(journal: readonly JournalRow[]): number {
  return journal.findLast((row) => !INPUT_KINDS.has(row.kind))?.seq ?? 0;
}

let conversations = 0;

export function emptyConversation(
  now: number,
  key: ConversationKey,
  attributes: JsonObject,
  forked_from: MemoryConversation["forked_from"],
): MemoryConversation {
  const { tenant, project, user, conversation } = key;
  const number = ++conversations;
  return {
    number,
    tree: number,
    listed: true,
    owners: [],
    savedBefore: new Map(),
    key: { tenant, project, user, conversation },
    attributes,
    created_at: now,
    last_activity_at: now,
    forked_from,
    journal: [],
    lease: null,
    references: new Map(),
    artifacts: [],
    streams: new Map(),
  };
}

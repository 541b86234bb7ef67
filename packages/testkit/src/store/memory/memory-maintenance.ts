/** The maintenance of the reference store, and what all its methods need: the data, the clock, and the checks before. */
import {
  type CallOptions,
  type ConversationKey,
  checkConversationKey,
  checkScope,
  type Defect,
  type QuarantinedTurn,
  type Scope,
  type SpentMinute,
  type StoredSecret,
  type StoreMaintenance,
  scopeKey,
  storeError,
  type UnfinishedConversation,
  type UnfinishedOptions,
} from "@cairn/store";
import type { Clock } from "@cairn/timeline";
import { checkRange, isWithin } from "./memory-arguments.ts";
import { blobKey, MemoryBlobStore } from "./memory-blob-store.ts";
import { type MemoryConversation, MemoryData, stateOf } from "./memory-data.ts";
import { sweep } from "./memory-gc.ts";
import { namedBlobs } from "./memory-info.ts";
import { heldMs } from "./memory-lease.ts";
import { quarantinedTurns } from "./memory-reads.ts";
import { listSpending, raiseSpending } from "./memory-spending.ts";
import { sumStoredBytes } from "./memory-stored-bytes.ts";
import { membersOf, showAnother } from "./memory-tree.ts";

const HOUR = 3_600_000;

/** Backups by folder: a substitute for the disk. */
export const backups = new Map<string, MemoryData>();

export class MemoryMaintenance implements StoreMaintenance {
  readonly blobs: MemoryBlobStore;
  protected readonly data: MemoryData;
  protected readonly clock: Clock;
  protected readonly closing = new AbortController();

  constructor(clock: Clock, data = new MemoryData()) {
    this.clock = clock;
    this.data = data;
    this.blobs = new MemoryBlobStore(data, clock);
  }

  async verifyConversation(key: ConversationKey, options?: CallOptions): Promise<Defect[]> {
    const { journal } = this.find(key, options);
    return namedBlobs(journal)
      .filter((blob) => !this.data.blobs.has(blobKey(key.tenant, blob)))
      .map((blob) => ({ code: "blob_missing", message: `The bytes of ${blob} are gone.`, key, blob }));
  }

  async gc(options: CallOptions & { readonly graceMs?: number } = {}) {
    this.begin(options);
    checkRange("graceMs", options.graceMs ?? HOUR, 0, Number.MAX_SAFE_INTEGER);
    return sweep(this.data, this.clock.now() - (options.graceMs ?? HOUR));
  }

  async applyRetention(options: CallOptions & { readonly idleMs: number; readonly scope?: Partial<Scope> }) {
    this.begin(options);
    checkRange("idleMs", options.idleMs, 0, Number.MAX_SAFE_INTEGER);
    const limit = this.clock.now() - options.idleMs;
    const idle = [...this.data.conversations.values()].filter(
      (each) =>
        membersOf(this.data, each).every(({ last_activity_at }) => last_activity_at < limit) &&
        isWithin(each.key, options.scope ?? {}),
    );
    for (const conversation of idle) this.remove(conversation);
    return idle.length;
  }

  async deleteTenant(tenant: string, options?: CallOptions) {
    this.begin(options);
    const all = [...this.data.conversations.values()].filter(({ key }) => key.tenant === tenant);
    for (const conversation of all) this.remove(conversation);
    this.data.spent = this.data.spent.filter(({ scope }) => scope.tenant !== tenant);
    this.data.secrets = this.data.secrets.filter(({ scope }) => scope.tenant !== tenant);
    return all.length;
  }

  async *conversations(options?: CallOptions): AsyncGenerator<ConversationKey> {
    for (const { key } of [...this.data.conversations.values()]) {
      options?.signal?.throwIfAborted();
      yield key;
    }
  }

  async *secrets(options?: CallOptions): AsyncGenerator<StoredSecret> {
    this.begin(options);
    yield* this.data.secrets;
  }

  async storedBytes(scope: Scope, options?: CallOptions) {
    this.enterScope(scope, options ?? {});
    return sumStoredBytes(this.data, scope);
  }

  async *spentMinutes(options?: CallOptions): AsyncGenerator<SpentMinute> {
    this.begin(options);
    yield* listSpending(this.data);
  }

  async keepSpentMinutes(minutes: readonly SpentMinute[], options?: CallOptions): Promise<void> {
    this.begin(options);
    raiseSpending(this.data, minutes);
  }

  async backup(folder: string, options?: CallOptions): Promise<void> {
    this.begin(options);
    backups.set(folder, this.data.copy());
  }

  async *verify(options?: CallOptions): AsyncIterable<Defect> {
    this.begin(options);
    for (const { key } of [...this.data.conversations.values()]) yield* await this.verifyConversation(key);
  }

  async *quarantined(options?: CallOptions): AsyncIterable<QuarantinedTurn> {
    this.begin(options);
    for (const each of [...this.data.conversations.values()]) yield* quarantinedTurns(each);
  }

  async *unfinished(options?: UnfinishedOptions): AsyncIterable<UnfinishedConversation> {
    this.begin(options);
    const among = options?.among === undefined ? null : new Set(options.among.map(scopeKey));
    for (const conversation of [...this.data.conversations.values()]) {
      const { key, journal } = conversation;
      if (among !== null && !among.has(scopeKey(key))) continue;
      const { openTurn, pendingInputs } = stateOf(journal);
      if (openTurn === null && pendingInputs.size === 0) continue;
      yield { key, last_seq: journal.length, held_ms: heldMs(conversation, this.clock.now()) };
    }
  }

  /** The reference store derives nothing, so there is nothing to rebuild. */
  repair(options?: CallOptions): AsyncIterable<Defect> {
    return this.verify(options);
  }

  async close(): Promise<void> {
    this.closing.abort();
  }

  protected begin(options?: CallOptions): void {
    options?.signal?.throwIfAborted();
    if (this.closing.signal.aborted) throw storeError("closed", "The store was closed.");
  }

  protected enter(key: ConversationKey, options?: CallOptions): void {
    this.begin(options);
    checkConversationKey(key);
  }

  protected enterScope(scope: Scope, options?: CallOptions): void {
    this.begin(options);
    checkScope(scope);
  }

  protected find(key: ConversationKey, options?: CallOptions): MemoryConversation {
    this.enter(key, options);
    return this.data.find(key);
  }

  protected remove(removed: MemoryConversation): void {
    const { key, references } = removed;
    this.data.conversations.delete(scopeKey(key));
    showAnother(this.data, removed);
    for (const ref of references.keys()) {
      const blob = this.data.blobs.get(blobKey(key.tenant, ref));
      if (blob !== undefined) blob.at = this.clock.now();
    }
    this.data.changed();
  }
}

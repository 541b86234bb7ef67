/**
 * The reference store: the simplest implementation of the contract. This store caches and indexes nothing; every answer
 * is computed from the journal. Other back ends are compared with this store. Its data is lost when the process ends.
 */
import {
  type AppendOptions,
  type ByteRange,
  type ByteSource,
  type CallOptions,
  type ConversationKey,
  type ConversationStore,
  type DeleteOptions,
  type ImportOptions,
  type OutlineOptions,
  type PageOptions,
  type Scope,
  type SearchOptions,
  type SpendingWindow,
  type StoredEvent,
  scopeKey,
  storeError,
} from "@cairn/store";
import type { BlobRef, Clock, JsonObject, TimelineEvent } from "@cairn/timeline";
import { appendEvents, checkToken } from "./memory-append.ts";
import { asJson, checkRange, exists, isWithin, page, withoutPrefix } from "./memory-arguments.ts";
import { saveArtifact } from "./memory-artifacts.ts";
import { collectBytes } from "./memory-blob-store.ts";
import { emptyConversation, readRow } from "./memory-data.ts";
import { exportFile } from "./memory-file.ts";
import { checkSeq, forkConversation } from "./memory-fork.ts";
import { importFile } from "./memory-import.ts";
import { infoOf, loaded, outlined } from "./memory-info.ts";
import { acquire, renew } from "./memory-lease.ts";
import { backups, MemoryMaintenance } from "./memory-maintenance.ts";
import { composeArtifacts, findPath, listTurns, readTurnPage } from "./memory-reads.ts";
import { checkSearch, searchConversations } from "./memory-search.ts";
import { readSecret, updateSecret, writeSecret } from "./memory-secrets.ts";
import { noteSpending, sumSpending } from "./memory-spending.ts";
import { textOf } from "./memory-stored-bytes.ts";
import { writeStream } from "./memory-streams.ts";
import { branchConversation, membersOf, show, versionsOf } from "./memory-tree.ts";

export class MemoryStore extends MemoryMaintenance implements ConversationStore {
  static openBackup(folder: string, clock: Clock): MemoryStore {
    return new MemoryStore(clock, backups.get(folder));
  }

  /** Another handle on the same data, like that of another process. */
  another(clock = this.clock): MemoryStore {
    return new MemoryStore(clock, this.data);
  }

  async createConversation(
    key: ConversationKey,
    options: CallOptions & { readonly attributes?: JsonObject; readonly events?: readonly TimelineEvent[] } = {},
  ) {
    this.enter(key, options);
    if (this.data.conversations.has(scopeKey(key))) throw exists(key);
    const { attributes = {} } = options;
    if (typeof attributes !== "object" || Array.isArray(attributes))
      throw storeError("bad_argument", "The attributes must be a JSON object.");
    const conversation = emptyConversation(this.clock.now(), key, asJson("attributes", attributes), null);
    appendEvents(conversation, options.events ?? [], this.clock.now(), { fresh: true });
    this.data.conversations.set(scopeKey(key), conversation);
    return infoOf(conversation);
  }

  async getConversation(key: ConversationKey, options?: CallOptions) {
    return infoOf(this.find(key, options));
  }

  async listConversations(scope: Scope, options: PageOptions = {}) {
    this.enterScope(scope, options);
    const found = [...this.data.conversations.values()]
      .filter(({ key, listed }) => listed && isWithin(key, scope))
      .sort((a, b) => b.number - a.number);
    return page(found.sort((a, b) => b.last_activity_at - a.last_activity_at).map(infoOf), options);
  }

  async spending(scope: Scope, options: CallOptions & SpendingWindow) {
    this.enterScope(scope, options);
    return sumSpending(this.data, scope, options);
  }

  async deleteConversation(key: ConversationKey, options?: DeleteOptions): Promise<void> {
    const found = this.find(key, options);
    for (const each of options?.tree === true ? membersOf(this.data, found) : [found]) this.remove(each);
  }

  async append(key: ConversationKey, events: readonly TimelineEvent[], options?: AppendOptions) {
    const now = this.clock.now();
    const appended = appendEvents(this.find(key, options), events, now, options);
    if (options?.spent !== undefined) noteSpending(this.data, key, options.spent, now);
    this.data.changed();
    return appended;
  }

  async acquireLease(key: ConversationKey, holder: string, ttlMs: number, options?: CallOptions) {
    return acquire(this.data, this.find(key, options), holder, ttlMs, this.clock.now());
  }

  async renewLease(key: ConversationKey, token: number, ttlMs: number, options?: CallOptions) {
    return renew(this.find(key, options), token, ttlMs, this.clock.now());
  }

  async releaseLease(key: ConversationKey, token: number, options?: CallOptions): Promise<void> {
    const conversation = this.find(key, options);
    if (conversation.lease?.token === token) conversation.lease = null;
  }

  async load(key: ConversationKey, options?: CallOptions) {
    return loaded(this.find(key, options).journal);
  }

  async loadOutline(key: ConversationKey, options?: OutlineOptions) {
    return outlined(this.find(key, options).journal, options?.sources);
  }

  async stateAt(key: ConversationKey, seq: number, options?: CallOptions) {
    const conversation = this.find(key, options);
    checkSeq(conversation, seq);
    return loaded(conversation.journal.slice(0, seq));
  }

  async storedChars(key: ConversationKey, options?: CallOptions) {
    return textOf([this.find(key, options)]);
  }

  async readEvents(
    key: ConversationKey,
    options: Parameters<ConversationStore["readEvents"]>[1] = {},
  ): Promise<StoredEvent[]> {
    const { after = 0, limit = 1_000, without = [] } = options;
    const { journal } = this.find(key, options);
    checkRange("after", after, 0, Number.MAX_SAFE_INTEGER);
    checkRange("limit", limit, 1, 10_000);
    const page = journal.slice(after, after + limit);
    return page.filter(({ kind }) => !without.includes(kind)).map(readRow);
  }

  async *follow(key: ConversationKey, options: { readonly after?: number; readonly signal?: AbortSignal } = {}) {
    let { after = 0 } = options;
    const conversation = this.find(key);
    checkRange("after", after, 0, Number.MAX_SAFE_INTEGER);
    const signals = [this.closing.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const end = AbortSignal.any(signals);
    while (!end.aborted) {
      if (this.data.find(key) !== conversation) throw storeError("not_found", "The conversation was deleted.");
      const row = conversation.journal[after];
      if (row === undefined) await this.data.nextChange(end);
      else {
        after++;
        yield readRow(row);
      }
    }
  }

  async saveArtifact(
    key: ConversationKey,
    artifact: Parameters<ConversationStore["saveArtifact"]>[1],
    options?: CallOptions,
  ) {
    return saveArtifact(this.find(key, options), artifact, this.clock.now());
  }

  async getArtifact(key: ConversationKey, id: string, options?: CallOptions) {
    const conversation = this.find(key, options);
    const found = [...composeArtifacts(conversation), ...conversation.artifacts].findLast((each) => each.id === id);
    if (found === undefined) throw storeError("not_found", `There is no artifact ${id}.`);
    return structuredClone(found);
  }

  async recent(
    key: ConversationKey,
    options: CallOptions & { readonly kinds: readonly string[]; readonly limit?: number; readonly turn_id?: string },
  ) {
    const conversation = this.find(key, options);
    const { limit = 20, turn_id } = options;
    checkRange("limit", limit, 1, 1_000);
    const kinds = new Set(options.kinds.map((kind) => `artifact:${withoutPrefix(kind)}`));
    return [...composeArtifacts(conversation), ...structuredClone(conversation.artifacts)]
      .filter((each) => kinds.has(each.kind) && (turn_id === undefined || each.turn_id === turn_id))
      .reverse()
      .sort((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0))
      .slice(0, limit);
  }

  async findByPath(key: ConversationKey, path: string, options?: CallOptions) {
    return findPath(this.find(key, options).journal, path);
  }

  async search(scope: Scope, query: string, options: SearchOptions = {}) {
    this.enterScope(scope, options);
    const { conversation: only } = options;
    if (only !== undefined) this.data.find({ ...scope, conversation: only });
    if (options.turn !== undefined && only === undefined)
      throw storeError("bad_argument", "`turn` needs `conversation`.");
    checkSearch(options);
    const own = [...this.data.conversations.values()].filter(({ key }) => isWithin(key, scope));
    return page(searchConversations(own, query, options), options);
  }

  async readTurns(
    key: ConversationKey,
    options: CallOptions & { readonly before?: number; readonly limit?: number; readonly maxBytes?: number } = {},
  ) {
    const { journal } = this.find(key, options);
    checkRange("limit", options.limit ?? 20, 1, 1_000);
    checkRange("before", options.before ?? 1, 1, Number.MAX_SAFE_INTEGER);
    return readTurnPage(journal, options);
  }

  async turns(key: ConversationKey, options: PageOptions = {}) {
    return page(listTurns(this.find(key, options).journal), options);
  }

  async fork(key: ConversationKey, seq: number, target: string, options?: CallOptions) {
    const source = this.find(key, options);
    return infoOf(forkConversation(this.data, source, seq, { ...key, conversation: target }, this.clock.now()));
  }

  async branch(
    key: ConversationKey,
    seq: number,
    target: string,
    options?: CallOptions & { readonly events?: readonly TimelineEvent[] },
  ) {
    const source = this.find(key, options);
    const now = this.clock.now();
    const made = branchConversation(this.data, source, seq, { ...key, conversation: target }, now);
    appendEvents(made, options?.events ?? [], now, { fresh: true });
    return infoOf(made);
  }

  async branches(key: ConversationKey, options: PageOptions = {}) {
    return page(membersOf(this.data, this.find(key, options)).map(infoOf), options);
  }

  async versions(key: ConversationKey, options?: CallOptions) {
    return versionsOf(this.data, this.find(key, options));
  }

  async show(key: ConversationKey, options?: CallOptions): Promise<void> {
    show(this.data, this.find(key, options));
  }

  async *exportConversation(key: ConversationKey, options?: CallOptions) {
    const found = this.find(key, options);
    for (const text of exportFile(found, membersOf(this.data, found), this.data)) yield new TextEncoder().encode(text);
  }

  async importConversation(key: ConversationKey, file: ByteSource, options?: ImportOptions) {
    this.enter(key, options);
    const text = new TextDecoder().decode(await collectBytes(file, options?.signal));
    importFile(this.data, this.blobs, key, text, { moves: options?.moves === true, now: this.clock.now() });
    return infoOf(this.data.find(key));
  }

  async putBlob(key: ConversationKey, source: ByteSource, options?: CallOptions) {
    this.find(key, options);
    const bytes = await collectBytes(source, options?.signal);
    const { references } = this.find(key, options);
    const put = this.blobs.keep(key.tenant, bytes);
    references.set(put.ref, this.clock.now());
    return put;
  }

  async *readBlob(key: ConversationKey, ref: BlobRef, options: CallOptions & { readonly range?: ByteRange } = {}) {
    const { references } = this.find(key, options);
    if (!references.has(ref)) throw storeError("not_found", "The conversation refers to no such bytes.");
    yield* this.blobs.get(key.tenant, ref, options);
  }

  async statBlob(key: ConversationKey, ref: BlobRef, options?: CallOptions) {
    const { references } = this.find(key, options);
    return references.has(ref) ? this.blobs.stat(key.tenant, ref) : null;
  }

  async appendStream(
    key: ConversationKey,
    given: Parameters<ConversationStore["appendStream"]>[1],
    options?: CallOptions,
  ) {
    writeStream(this.find(key, options), given);
  }

  async dropStream(key: ConversationKey, given: Parameters<ConversationStore["dropStream"]>[1], options?: CallOptions) {
    const conversation = this.find(key, options);
    checkToken(conversation, given.token);
    conversation.streams.delete(given.stream);
  }

  async openStreams(key: ConversationKey, options?: CallOptions & { readonly known?: ReadonlyMap<string, number> }) {
    const behind = (stream: string, text: string) => text.slice(options?.known?.get(stream) ?? 0);
    const streams = [...this.find(key, options).streams].map(([stream, text]) => ({
      stream,
      text: behind(stream, text),
    }));
    return streams.sort((a, b) => (a.stream < b.stream ? -1 : 1));
  }

  async readSecret(scope: Scope, name: string, options?: CallOptions) {
    this.enterScope(scope, options ?? {});
    return readSecret(this.data, scope, name);
  }

  async writeSecret(scope: Scope, name: string, value: Uint8Array | null, options?: CallOptions) {
    this.enterScope(scope, options ?? {});
    writeSecret(this.data, scope, name, value);
  }

  async updateSecret(
    scope: Scope,
    name: string,
    change: (value: Uint8Array) => Uint8Array | null,
    options?: CallOptions,
  ) {
    this.enterScope(scope, options ?? {});
    return updateSecret(this.data, scope, name, change);
  }
}

/**
 * The store over a database and blobs. Each method is one transaction, implemented in the file of its name. `append`
 * and `load`, which every turn calls, are functions of `append.ts` and `load.ts`.
 */
import type { BlobRef } from "@cairn/timeline";
import type { BlobInfo, ByteRange, ByteSource } from "./contract/blob-store.ts";
import type { CallOptions, PageOptions } from "./contract/call-options.ts";
import type { ConversationStore, DeleteOptions, ImportOptions } from "./contract/conversation-store.ts";
import { storeError } from "./contract/errors.ts";
import type { KeptBlobs } from "./contract/kept-blobs.ts";
import type { OutlineOptions, SpendingWindow } from "./contract/records.ts";
import { type ConversationKey, checkConversationKey, type Scope } from "./contract/scope.ts";
import type { SearchOptions } from "./contract/search-options.ts";
import type { GcOptions, SpentMinute, StoreMaintenance, UnfinishedOptions } from "./contract/store-maintenance.ts";
import { readImport } from "./export/read-import.ts";
import { writeExport } from "./export/write-export.ts";
import { appending, prepareEvents, writeBatch } from "./sql/append.ts";
import { type ArtifactToSave, getArtifact, recentArtifacts, saveArtifact } from "./sql/artifacts.ts";
import type { Backend } from "./sql/backend.ts";
import { createBranch } from "./sql/branch.ts";
import type { ChangeFeed } from "./sql/change-feed.ts";
import {
  allConversations,
  type ConversationRow,
  conversationById,
  describeConversation,
  encodeAttributes,
  insertConversation,
  listConversations,
  lockConversation,
  lockConversationWithTree,
  refuseTaken,
  requireConversation,
} from "./sql/conversations.ts";
import { findByPath } from "./sql/find-path.ts";
import { type FollowOptions, followConversation } from "./sql/follow.ts";
import { forkConversation } from "./sql/fork.ts";
import { collectGarbage } from "./sql/gc.ts";
import { acquireLease, releaseLease, renewLease } from "./sql/lease.ts";
import { onceLeft } from "./sql/leaving-blobs.ts";
import { partsOf } from "./sql/lineage.ts";
import { journalEvents, loading, loadState } from "./sql/load.ts";
import { loadOutline } from "./sql/outline.ts";
import { checkSeq, pageLimit } from "./sql/paging.ts";
import { listQuarantined } from "./sql/quarantined.ts";
import { addReference, announceBlob, findReference, readBytes } from "./sql/references.ts";
import { applyRetention, deleteTenant } from "./sql/retention.ts";
import { allSecrets, readSecret, updateSecret, writeSecret } from "./sql/secrets.ts";
import { SnapshotKeeper } from "./sql/snapshot-keeper.ts";
import { needsSnapshot } from "./sql/snapshot-rule.ts";
import { allSpending, keepSpending, readSpending } from "./sql/spending.ts";
import type { SqlDatabase } from "./sql/sql-database.ts";
import { removeConversation } from "./sql/staging.ts";
import { readStoredBytes } from "./sql/stored-bytes.ts";
import { appendStream, dropStream, openStreams, type StreamPiece } from "./sql/streams.ts";
import { hideConversation, listBranches, listInstead, listVersions, treeOf } from "./sql/tree.ts";
import { readTurnPage, type TurnPageOptions } from "./sql/turn-page.ts";
import { listTurns } from "./sql/turns.ts";
import { listUnfinished } from "./sql/unfinished.ts";
import type { Work } from "./sql/work.ts";
import { repairStore } from "./verify/repair.ts";
import { verifyConversation, verifyStore } from "./verify/verify.ts";

const HOUR_MS = 3_600_000;

export class SqlStore implements ConversationStore, StoreMaintenance {
  readonly blobs: KeptBlobs;
  readonly append: ConversationStore["append"];
  readonly load: ConversationStore["load"];
  readonly #backend: Backend;
  readonly #db: SqlDatabase;
  readonly #feed: ChangeFeed;
  readonly #snapshots: SnapshotKeeper;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.blobs = backend.blobs;
    this.#db = backend.db;
    this.#feed = backend.feed;
    this.#snapshots = new SnapshotKeeper(backend.db);
    this.append = appending(backend, this.#snapshots);
    this.load = loading(backend.db);
  }

  async createConversation(key: ConversationKey, options: Parameters<ConversationStore["createConversation"]>[1] = {}) {
    checkConversationKey(key);
    const attributes = encodeAttributes(options.attributes ?? {});
    const events = prepareEvents(options.events ?? []);
    const db = this.#db;
    const now = this.#now();
    const made = await db.write(function* () {
      yield* refuseTaken(db, key);
      const row = yield* insertConversation(db, key, { attributes, createdAt: now });
      yield* writeBatch(db, row, events, now);
      return (yield* conversationById(db, row.id)) ?? row;
    }, options.signal);
    return this.#welcome(made);
  }

  /** Indexes a conversation that arrived with a whole journal, as if its events had been appended to this store. */
  async #welcome(row: ConversationRow) {
    const { id, last_seq, tail_events: events, tail_chars: chars, snapshot_chars: snapshotChars } = row;
    if (last_seq > 0)
      await this.#snapshots.keepUp(async () => {
        if (needsSnapshot({ events, chars, snapshotChars })) await this.#snapshots.catchUp(id);
        await this.#db.texts.keepUpWhole(row.scope);
      });
    return describeConversation(row);
  }

  async getConversation(key: ConversationKey, options: CallOptions = {}) {
    return describeConversation(await this.#db.read(() => requireConversation(this.#db, key), options.signal));
  }

  async storedChars(key: ConversationKey, options: CallOptions = {}) {
    const parts = await this.#readOf(key, (row) => partsOf(this.#db, row), options.signal);
    return parts.reduce((sum, { stored_chars }) => sum + stored_chars, 0);
  }

  async listConversations(scope: Scope, options: PageOptions = {}) {
    return this.#db.read(() => listConversations(this.#db, scope, options), options.signal);
  }

  async spending(scope: Scope, options: CallOptions & SpendingWindow) {
    return this.#db.read(() => readSpending(this.#db, scope, options), options.signal);
  }

  async readSecret(scope: Scope, name: string, options: CallOptions = {}) {
    return this.#db.read(() => readSecret(this.#db, scope, name), options.signal);
  }

  async writeSecret(scope: Scope, name: string, value: Uint8Array | null, options: CallOptions = {}) {
    await this.#db.write(() => writeSecret(this.#db, scope, name, value), options.signal);
  }

  async updateSecret(
    scope: Scope,
    name: string,
    change: (value: Uint8Array) => Uint8Array | null,
    options: CallOptions = {},
  ) {
    return this.#db.write(() => updateSecret(this.#db, scope, name, change), options.signal);
  }

  async storedBytes(scope: Scope, options: CallOptions = {}) {
    return this.#db.read(() => readStoredBytes(this.#db, scope), options.signal);
  }

  async deleteConversation(key: ConversationKey, options: DeleteOptions = {}) {
    const db = this.#db;
    const now = this.#now();
    const ids = await db.write(function* () {
      const row = yield* lockConversationWithTree(db, key);
      const rows = options.tree === true ? yield* treeOf(db, row) : [row];
      for (const each of rows) yield* hideConversation(db, each, now);
      return rows.map(({ id }) => id);
    }, options.signal);
    for (const id of ids) this.#feed.notify(id);
    for (const id of ids) await removeConversation(db, id, now);
  }

  async acquireLease(key: ConversationKey, holder: string, ttlMs: number, options: CallOptions = {}) {
    return this.#db.write(() => acquireLease(this.#db, key, holder, ttlMs, this.#now()), options.signal);
  }

  async renewLease(key: ConversationKey, token: number, ttlMs: number, options: CallOptions = {}) {
    return this.#db.write(() => renewLease(this.#db, key, token, ttlMs, this.#now()), options.signal);
  }

  async releaseLease(key: ConversationKey, token: number, options: CallOptions = {}) {
    return this.#db.write(() => releaseLease(this.#db, key, token), options.signal);
  }

  async loadOutline(key: ConversationKey, { sources, signal }: OutlineOptions = {}) {
    return this.#readOf(key, (row) => loadOutline(this.#db, row, sources), signal);
  }

  async stateAt(key: ConversationKey, seq: number, options: CallOptions = {}) {
    checkSeq("seq", seq);
    const at = (row: ConversationRow) => {
      if (seq > row.last_seq)
        throw storeError("not_found", `There is no event ${seq}: the conversation has ${row.last_seq} events.`, {
          seq,
        });
      return loadState(this.#db, row, seq);
    };
    return this.#readOf(key, at, options.signal);
  }

  async readEvents(key: ConversationKey, options: Parameters<ConversationStore["readEvents"]>[1] = {}) {
    const after = checkSeq("after", options.after ?? 0);
    const limit = pageLimit(options.limit, 1_000, 10_000);
    const { without = [] } = options;
    return this.#readOf(key, (row) => journalEvents(this.#db, row, { after, limit, without }), options.signal);
  }

  follow(key: ConversationKey, options: FollowOptions = {}) {
    return followConversation(this.#db, this.#feed, key, options);
  }

  async saveArtifact(key: ConversationKey, artifact: ArtifactToSave, options: CallOptions = {}) {
    const db = this.#db;
    const now = this.#now();
    return db.write(function* () {
      return yield* saveArtifact(db, yield* lockConversation(db, key), artifact, now);
    }, options.signal);
  }

  async getArtifact(key: ConversationKey, id: string, options: CallOptions = {}) {
    return this.#readOf(key, (row) => getArtifact(this.#db, row, id), options.signal);
  }

  async recent(key: ConversationKey, options: Parameters<ConversationStore["recent"]>[1]) {
    return this.#readOf(key, (row) => recentArtifacts(this.#db, row, options), options.signal);
  }

  async findByPath(key: ConversationKey, path: string, options: CallOptions = {}) {
    return this.#readOf(key, (row) => findByPath(this.#db, row, path), options.signal);
  }

  async search(scope: Scope, query: string, options: SearchOptions = {}) {
    return this.#db.texts.search(scope, query, options);
  }

  async readTurns(key: ConversationKey, options: TurnPageOptions = {}) {
    return this.#readOf(key, (row) => readTurnPage(this.#db, row, options), options.signal);
  }

  async turns(key: ConversationKey, options: PageOptions = {}) {
    return this.#readOf(key, (row) => listTurns(this.#db, row, options), options.signal);
  }

  async fork(key: ConversationKey, seq: number, target: string, options: CallOptions = {}) {
    return this.#welcome(await forkConversation(this.#db, key, seq, target, () => this.#now(), options.signal));
  }

  async branch(
    key: ConversationKey,
    seq: number,
    target: string,
    options: Parameters<ConversationStore["branch"]>[3] = {},
  ) {
    return describeConversation(await createBranch(this.#db, key, seq, target, this.#now(), options));
  }

  async branches(key: ConversationKey, options: PageOptions = {}) {
    return this.#readOf(key, (row) => listBranches(this.#db, row, options), options.signal);
  }

  async versions(key: ConversationKey, options: CallOptions = {}) {
    return this.#readOf(key, (row) => listVersions(this.#db, row), options.signal);
  }

  async show(key: ConversationKey, options: CallOptions = {}) {
    const db = this.#db;
    await db.write(function* () {
      const row = yield* lockConversationWithTree(db, key);
      if (row.unlisted !== 0) yield* listInstead(db, row.id, row.tree ?? row.id);
    }, options.signal);
  }

  exportConversation(key: ConversationKey, options: CallOptions = {}) {
    return writeExport(this.#db, this.blobs, key, options.signal);
  }

  async importConversation(key: ConversationKey, file: ByteSource, options: ImportOptions = {}) {
    const [asked, ...others] = await readImport(this.#db, this.blobs, key, file, () => this.#now(), options);
    if (asked === undefined)
      throw storeError(
        "corrupt",
        "The database did not return a row that was just written. Run cairn doctor to check the store.",
      );
    for (const row of others) await this.#welcome(row);
    return this.#welcome(asked);
  }

  async putBlob(key: ConversationKey, source: ByteSource, options: CallOptions = {}) {
    const db = this.#db;
    const { signal } = options;
    await db.read(() => requireConversation(db, key), signal);
    const onceTheyLeft = (work: (now: number) => Work<void>) =>
      onceLeft(() => db.write(() => work(this.#now()), signal), signal);
    const announce = (blob: BlobInfo) => onceTheyLeft((now) => announceBlob(db, key.tenant, blob, now));
    const refer = (blob: BlobInfo) =>
      onceTheyLeft(function* (now) {
        yield* addReference(db, (yield* lockConversation(db, key)).id, key.tenant, blob, now);
      });
    return this.blobs.putWith(key.tenant, source, { announce, refer }, options);
  }

  async *readBlob(key: ConversationKey, ref: BlobRef, options: CallOptions & { readonly range?: ByteRange } = {}) {
    if ((await this.statBlob(key, ref, options)) === null)
      throw storeError("not_found", `The conversation has no reference to blob ${ref}.`, { blob: ref });
    yield* readBytes(this.blobs, key, ref, options);
  }

  async statBlob(key: ConversationKey, ref: BlobRef, options: CallOptions = {}) {
    const found = await this.#readOf(key, (row) => findReference(this.#db, row, ref), options.signal);
    return found?.size ?? null;
  }

  async appendStream(key: ConversationKey, piece: StreamPiece, options: CallOptions = {}) {
    await this.#db.write(() => appendStream(this.#db, key, piece), options.signal);
  }

  async dropStream(
    key: ConversationKey,
    { token, stream }: { token: number; stream: string },
    options: CallOptions = {},
  ) {
    await this.#db.write(() => dropStream(this.#db, key, token, stream), options.signal);
  }

  async openStreams(key: ConversationKey, options: CallOptions & { known?: ReadonlyMap<string, number> } = {}) {
    return this.#db.read(() => openStreams(this.#db, key, options.known ?? new Map()), options.signal);
  }

  async verifyConversation(key: ConversationKey, options: CallOptions = {}) {
    return verifyConversation(this.#backend, key, options.signal);
  }

  conversations(options: CallOptions = {}) {
    return allConversations(this.#db, options.signal);
  }

  spentMinutes(options: CallOptions = {}) {
    return allSpending(this.#db, options.signal);
  }

  async keepSpentMinutes(minutes: readonly SpentMinute[], options: CallOptions = {}) {
    await keepSpending(this.#db, minutes, options.signal);
  }

  secrets(options: CallOptions = {}) {
    return allSecrets(this.#db, options.signal);
  }

  async gc(options: GcOptions = {}) {
    const graceMs = checkSeq("graceMs", options.graceMs ?? HOUR_MS);
    return collectGarbage(this.#db, this.blobs, () => this.#now(), { ...options, graceMs });
  }

  async applyRetention(options: CallOptions & { idleMs: number; scope?: Partial<Scope> }) {
    const now = this.#now();
    checkSeq("idleMs", options.idleMs);
    const deleted = await applyRetention(this.#db, now - options.idleMs, options.scope ?? {}, now, options.signal);
    for (const conversation of deleted) this.#feed.notify(conversation);
    return deleted.length;
  }

  async deleteTenant(tenant: string, options: CallOptions = {}) {
    const deleted = await deleteTenant(this.#db, tenant, this.#now(), options.signal);
    for (const conversation of deleted) this.#feed.notify(conversation);
    return deleted.length;
  }

  async backup(folder: string, options: CallOptions = {}) {
    await this.#backend.backup(folder, options.signal);
  }

  verify(options: CallOptions = {}) {
    return verifyStore(this.#backend, options.signal);
  }

  quarantined(options: CallOptions = {}) {
    return listQuarantined(this.#db, options);
  }

  unfinished(options: UnfinishedOptions = {}) {
    return listUnfinished(this.#db, this.#backend.clock, options);
  }

  repair(options: CallOptions = {}) {
    return repairStore(this.#backend, options.signal);
  }

  async close() {
    await this.#feed.close();
    await this.#backend.close();
  }

  /** Reads one conversation in one consistent view. */
  #readOf<T>(key: ConversationKey, work: (row: ConversationRow) => Work<T>, signal?: AbortSignal): Promise<T> {
    const db = this.#db;
    return db.read(function* () {
      return yield* work(yield* requireConversation(db, key));
    }, signal);
  }

  #now(): number {
    return Math.floor(this.#backend.clock.now());
  }
}

/**
 * The embedded store: one SQLite file and a folder of blobs behind the contracts. Each method is one transaction of the
 * file it is named after; what is here is only the composition.
 */
import type { BlobRef, Clock, TimelineEvent } from "@cairn/timeline";
import { CairnError } from "@cairn/timeline";
import type { BlobInfo, ByteRange, ByteSource } from "../contract/blob-store.ts";
import type { CallOptions, PageOptions } from "../contract/call-options.ts";
import type { AppendOptions } from "../contract/conversation-store.ts";
import { storeError } from "../contract/errors.ts";
import type { Appended } from "../contract/records.ts";
import { type ConversationKey, checkConversationKey, type Scope } from "../contract/scope.ts";
import type { EmbeddedStore } from "../embedded-options.ts";
import { readImport } from "../export/read-import.ts";
import { writeExport } from "../export/write-export.ts";
import type { BlobFolder } from "../fs/blob-folder.ts";
import { appendEvents, prepareEvents, writeBatch } from "./append.ts";
import { type ArtifactToSave, getArtifact, recentArtifacts, saveArtifact } from "./artifacts.ts";
import { backUp, type StoreFiles } from "./backup.ts";
import { ChangeFeed } from "./change-feed.ts";
import {
  type ConversationRow,
  conversationById,
  describeConversation,
  encodeAttributes,
  insertConversation,
  listConversations,
  refuseTaken,
  requireConversation,
} from "./conversations.ts";
import type { Database } from "./database.ts";
import { type PreparedEvent, readEventRow } from "./event-row.ts";
import { findByPath } from "./find-path.ts";
import { type FollowOptions, followConversation } from "./follow.ts";
import { forkConversation } from "./fork.ts";
import { collectGarbage } from "./gc.ts";
import { acquireLease, releaseLease, renewLease } from "./lease.ts";
import { journalRows, loadState } from "./load.ts";
import { checkSeq, pageLimit } from "./paging.ts";
import { addReference, findReference } from "./references.ts";
import { repairStore } from "./repair.ts";
import { applyRetention } from "./retention.ts";
import { search } from "./search.ts";
import { SearchIndex } from "./search-index.ts";
import { SnapshotKeeper } from "./snapshot-keeper.ts";
import { needsSnapshot } from "./snapshot-rule.ts";
import { readSpending } from "./spending.ts";
import { hideConversation, removeConversation } from "./staging.ts";
import { appendStream, dropStream, openStreams, type StreamPiece } from "./streams.ts";
import { readTurnPage, type TurnPageOptions } from "./turn-page.ts";
import { listTurns } from "./turns.ts";
import { listUnfinished } from "./unfinished.ts";
import { verifyConversation, verifyStore } from "./verify.ts";

const HOUR_MS = 3_600_000;

export class SqliteStore implements EmbeddedStore {
  readonly blobs: BlobFolder;
  readonly #db: Database;
  readonly #files: StoreFiles;
  readonly #clock: Clock;
  readonly #feed: ChangeFeed;
  readonly #snapshots: SnapshotKeeper;
  readonly #search: SearchIndex;

  constructor(db: Database, files: StoreFiles, blobs: BlobFolder, clock: Clock, pollMs: number) {
    this.#db = db;
    this.#files = files;
    this.blobs = blobs;
    this.#clock = clock;
    this.#feed = new ChangeFeed(db, pollMs);
    this.#snapshots = new SnapshotKeeper(db);
    this.#search = new SearchIndex(db);
  }

  async createConversation(key: ConversationKey, options: Parameters<EmbeddedStore["createConversation"]>[1] = {}) {
    checkConversationKey(key);
    const attributes = encodeAttributes(options.attributes ?? {});
    const events = prepareEvents(options.events ?? []);
    const made = await this.#db.write(() => {
      refuseTaken(this.#db, key);
      const now = this.#now();
      const row = insertConversation(this.#db, key, { attributes, createdAt: now });
      writeBatch(this.#db, row, events, now);
      return conversationById(this.#db, row.id) ?? row;
    }, options.signal);
    return this.#welcome(made);
  }

  /** A conversation that begins with a journal of its own is made as ready for readers as one that grew here. */
  async #welcome(row: ConversationRow) {
    const { id, last_seq, tail_events: events, tail_chars: chars, snapshot_chars: snapshotChars } = row;
    if (last_seq > 0)
      await this.#keepUp(async () => {
        if (needsSnapshot({ events, chars, snapshotChars })) await this.#db.write(() => this.#snapshots.catchUp(id));
        await this.#search.keepUp();
      });
    return describeConversation(row);
  }

  async getConversation(key: ConversationKey, options: CallOptions = {}) {
    return this.#db.read(() => describeConversation(requireConversation(this.#db, key)), options.signal);
  }

  async listConversations(scope: Scope, options: PageOptions = {}) {
    return this.#db.read(() => listConversations(this.#db, scope, options), options.signal);
  }

  async spending(scope: Scope, options: CallOptions & { readonly since: number }) {
    return this.#db.read(() => readSpending(this.#db, scope, options.since), options.signal);
  }

  async deleteConversation(key: ConversationKey, options: CallOptions = {}) {
    const id = await this.#db.write(() => {
      const row = requireConversation(this.#db, key);
      hideConversation(this.#db, row.id, this.#now());
      return row.id;
    }, options.signal);
    this.#feed.notify(id);
    await removeConversation(this.#db, id, this.#now());
  }

  async append(key: ConversationKey, events: readonly TimelineEvent[], options: AppendOptions = {}): Promise<Appended> {
    const prepared = prepareEvents(events);
    const { outcome, isBehind } = await this.#append(key, prepared, options);
    if (outcome.written.length > 0) this.#feed.notify(outcome.conversation);
    await this.#keepUp(async () => {
      if (isBehind) await this.#db.write(() => this.#snapshots.catchUp(outcome.conversation));
      if (outcome.written.length > 0) await this.#search.keepUpWith(outcome.lastId);
    });
    return outcome.appended;
  }

  async #append(key: ConversationKey, events: readonly PreparedEvent[], options: AppendOptions) {
    try {
      return await this.#db.write(() => {
        const outcome = appendEvents(this.#db, key, events, options, this.#now());
        return { outcome, isBehind: this.#snapshots.noteAppend(outcome) };
      }, options.signal);
    } catch (error) {
      this.#snapshots.forget();
      throw error;
    }
  }

  /** What later readers gain from. The events are durable already, so nothing here can make the append fail. */
  async #keepUp(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch {
      // Left to a later append, or to the search itself, which finds it still due.
      this.#snapshots.forget();
    }
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

  async load(key: ConversationKey, options: CallOptions = {}) {
    return this.#db.read(() => loadState(this.#db, requireConversation(this.#db, key)), options.signal);
  }

  async stateAt(key: ConversationKey, seq: number, options: CallOptions = {}) {
    checkSeq("seq", seq);
    return this.#db.read(() => {
      const row = requireConversation(this.#db, key);
      if (seq > row.last_seq)
        throw storeError("not_found", `The conversation has ${row.last_seq} events; there is no event ${seq}.`, {
          seq,
        });
      return loadState(this.#db, row, seq);
    }, options.signal);
  }

  async readEvents(key: ConversationKey, options: CallOptions & { after?: number; limit?: number } = {}) {
    const after = checkSeq("after", options.after ?? 0);
    const limit = pageLimit(options.limit, 1_000, 10_000);
    return this.#db.read(() => {
      const row = requireConversation(this.#db, key);
      return journalRows(this.#db, row, after, limit).map(readEventRow);
    }, options.signal);
  }

  follow(key: ConversationKey, options: FollowOptions = {}) {
    return followConversation(this.#db, this.#feed, key, options);
  }

  async saveArtifact(key: ConversationKey, artifact: ArtifactToSave, options: CallOptions = {}) {
    return this.#db.write(
      () => saveArtifact(this.#db, requireConversation(this.#db, key), artifact, this.#now()),
      options.signal,
    );
  }

  async getArtifact(key: ConversationKey, id: string, options: CallOptions = {}) {
    return this.#db.read(() => getArtifact(this.#db, requireConversation(this.#db, key), id), options.signal);
  }

  async recent(key: ConversationKey, options: Parameters<EmbeddedStore["recent"]>[1]) {
    return this.#db.read(() => recentArtifacts(this.#db, requireConversation(this.#db, key), options), options.signal);
  }

  async findByPath(key: ConversationKey, path: string, options: CallOptions = {}) {
    return this.#db.read(() => findByPath(this.#db, requireConversation(this.#db, key), path), options.signal);
  }

  async search(scope: Scope, query: string, options: PageOptions & { conversation?: string } = {}) {
    await this.#search.catchUp(options.signal);
    return this.#db.read(() => search(this.#db, scope, query, options), options.signal);
  }

  async readTurns(key: ConversationKey, options: TurnPageOptions = {}) {
    return this.#db.read(() => readTurnPage(this.#db, requireConversation(this.#db, key), options), options.signal);
  }

  async turns(key: ConversationKey, options: PageOptions = {}) {
    return this.#db.read(() => listTurns(this.#db, requireConversation(this.#db, key), options), options.signal);
  }

  async fork(key: ConversationKey, seq: number, target: string, options: CallOptions = {}) {
    return this.#welcome(await forkConversation(this.#db, key, seq, target, () => this.#now(), options.signal));
  }

  exportConversation(key: ConversationKey, options: CallOptions = {}) {
    return writeExport(this.#db, this.blobs, key, options.signal);
  }

  async importConversation(key: ConversationKey, file: ByteSource, options: CallOptions = {}) {
    return this.#welcome(await readImport(this.#db, this.blobs, key, file, () => this.#now(), options.signal));
  }

  async putBlob(key: ConversationKey, source: ByteSource, options: CallOptions = {}) {
    await this.#db.read(() => requireConversation(this.#db, key), options.signal);
    const refer = (blob: BlobInfo) =>
      this.#db.write(() => {
        addReference(this.#db, requireConversation(this.#db, key).id, key.tenant, blob, this.#now());
      }, options.signal);
    return this.blobs.putWith(key.tenant, source, refer, options);
  }

  async *readBlob(key: ConversationKey, ref: BlobRef, options: CallOptions & { readonly range?: ByteRange } = {}) {
    if ((await this.statBlob(key, ref, options)) === null)
      throw storeError("not_found", `The conversation does not refer to ${ref}.`, { blob: ref });
    try {
      yield* this.blobs.get(key.tenant, ref, options);
    } catch (error) {
      if (!CairnError.is(error) || error.code !== "not_found") throw error;
      throw storeError("blob_missing", `The bytes of ${ref} are gone. Restore them from a backup.`, { blob: ref });
    }
  }

  async statBlob(key: ConversationKey, ref: BlobRef, options: CallOptions = {}) {
    return this.#db.read(
      () => findReference(this.#db, requireConversation(this.#db, key).id, ref)?.size ?? null,
      options.signal,
    );
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

  async openStreams(key: ConversationKey, options: CallOptions = {}) {
    return this.#db.read(() => openStreams(this.#db, key), options.signal);
  }

  async verifyConversation(key: ConversationKey, options: CallOptions = {}) {
    return verifyConversation(this.#db, this.blobs, key, options.signal);
  }

  async gc(options: CallOptions & { graceMs?: number } = {}) {
    const graceMs = checkSeq("graceMs", options.graceMs ?? HOUR_MS);
    return collectGarbage(this.#db, this.blobs, this.#now(), graceMs, options.signal);
  }

  async applyRetention(options: CallOptions & { idleMs: number; scope?: Partial<Scope> }) {
    const now = this.#now();
    checkSeq("idleMs", options.idleMs);
    const deleted = await applyRetention(this.#db, now - options.idleMs, options.scope ?? {}, now, options.signal);
    if (deleted > 0) this.#feed.notifyConcerned();
    return deleted;
  }

  async backup(folder: string, options: CallOptions = {}) {
    await backUp(this.#files, folder, options.signal);
  }

  verify(options: CallOptions = {}) {
    return verifyStore(this.#db, this.blobs, options.signal);
  }

  unfinished(options: CallOptions = {}) {
    return listUnfinished(this.#db, options.signal);
  }

  repair(options: CallOptions = {}) {
    return repairStore(this.#db, this.blobs, options.signal);
  }

  async close() {
    this.#feed.close();
    this.#db.close();
  }

  #now(): number {
    return Math.floor(this.#clock.now());
  }
}

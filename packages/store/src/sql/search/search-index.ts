/**
 * The full-text index of a store, the same over both databases: an inverted index of each scope's texts, as rows.
 *
 * An append does not index words. Waiting events of a scope are indexed when there are enough of them, and always
 * before a search of the scope, so a search finds everything that was appended before it.
 */
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { CairnError } from "@cairn/timeline";
import type { Page } from "../../contract/call-options.ts";
import type { SearchHit } from "../../contract/records.ts";
import type { Scope } from "../../contract/scope.ts";
import type { SearchOptions } from "../../contract/search-options.ts";
import { requireConversation } from "../conversations.ts";
import type { SqlDatabase } from "../sql-database.ts";
import type { IndexedConversation, TextIndex } from "../text-index.ts";
import type { Work } from "../work.ts";
import { countWaiting, indexPiece } from "./index-waiting.ts";
import { ScopeTexts } from "./scope-texts.ts";
import { checkSearch, search } from "./search.ts";
import {
  lockScope,
  type OpenSegment,
  openSegment,
  removeSegments,
  replaceSegments,
  segmentSizes,
} from "./segment-rows.ts";

/** Number of waiting events of a scope at which an append indexes them. */
const MAX_WAITING = 512;
/** Maximum number of scopes whose waiting events are counted. Other scopes are indexed by their next search. */
const MAX_SCOPES = 10_000;
/** Maximum number of texts whose tables are cached in memory, some 30 bytes each. */
const MAX_TEXTS = 1_000_000;

export class SearchIndex implements TextIndex {
  readonly #db: SqlDatabase;
  /** Events written by this process since it last indexed their scope. */
  readonly #waiting = new Map<number, number>();
  /** Tables of the most recently searched scopes, latest last. */
  readonly #open = new Map<number, ScopeTexts>();

  constructor(db: SqlDatabase) {
    this.#db = db;
  }

  add({ scope }: IndexedConversation): void {
    if (this.#waiting.size >= MAX_SCOPES && !this.#waiting.has(scope)) this.#waiting.clear();
    this.#waiting.set(scope, (this.#waiting.get(scope) ?? 0) + 1);
  }

  /** If the index is damaged, the whole index of the scope is deleted and rebuilt before its next search. */
  *forget({ id, scope }: IndexedConversation): Work<void> {
    yield* lockScope(this.#db, scope);
    try {
      for (const { id: segment } of yield* segmentSizes(this.#db, scope)) {
        const { table } = (yield* openSegment(this.#db, segment)) ?? {};
        if (table?.conversations.includes(id))
          yield* replaceSegments(this.#db, scope, [segment], (text) => text.conversation !== id);
      }
    } catch (error) {
      if (!CairnError.is(error) || error.code !== "corrupt") throw error;
      yield* removeSegments(this.#db, scope);
      yield* this.#db.run("UPDATE conversations SET indexed_seq = cut WHERE scope = ?", scope);
    }
  }

  *reindex(conversation: IndexedConversation): Work<void> {
    yield* this.forget(conversation);
    yield* this.#db.run("UPDATE conversations SET indexed_seq = cut WHERE id = ?", conversation.id);
  }

  async keepUp(scope: number): Promise<void> {
    if ((this.#waiting.get(scope) ?? 0) <= MAX_WAITING) return;
    this.#waiting.delete(scope);
    await this.#db.write(() => indexPiece(this.#db, scope));
  }

  async keepUpWhole(scope: number): Promise<void> {
    if ((await this.#db.read(() => countWaiting(this.#db, scope))) > MAX_WAITING) await this.#catchUp(scope);
  }

  async search(scope: Scope, query: string, options: SearchOptions): Promise<Page<SearchHit>> {
    checkSearch(scope, options);
    const { conversation, signal } = options;
    const db = this.#db;
    const number = await db.read(() => scopeOf(db, scope), signal);
    if (number !== null) await this.#catchUp(number, signal);
    const index = this;
    return db.read(function* () {
      const within = conversation === undefined ? null : yield* requireConversation(db, { ...scope, conversation });
      if (number === null) return { items: [], next: null };
      return yield* search(db, number, yield* index.#texts(number), query, options, within);
    }, signal);
  }

  async #catchUp(scope: number, signal?: AbortSignal): Promise<void> {
    this.#waiting.delete(scope);
    while ((await this.#db.read(() => countWaiting(this.#db, scope), signal)) > 0) {
      await this.#db.write(() => indexPiece(this.#db, scope), signal);
      await yieldToOthers();
    }
  }

  /** Inside a read transaction. Segments never change, so known ones are not read again. */
  *#texts(scope: number): Work<ScopeTexts> {
    const known = this.#open.get(scope);
    const ids = (yield* segmentSizes(this.#db, scope)).map(({ id }) => id);
    const isSame =
      known !== undefined && known.parts.length === ids.length && known.parts.every(({ id }, nth) => id === ids[nth]);
    const texts = isSame ? known : new ScopeTexts(yield* this.#segments(ids, known));
    this.#open.delete(scope);
    this.#open.set(scope, texts);
    let kept = 0;
    for (const each of this.#open.values()) kept += each.count;
    for (const [oldest, { count }] of this.#open) {
      if (kept <= MAX_TEXTS) break;
      this.#open.delete(oldest);
      kept -= count;
    }
    return texts;
  }

  *#segments(ids: readonly number[], known: ScopeTexts | undefined): Work<OpenSegment[]> {
    const open = new Map(known?.parts.map((part) => [part.id, part]));
    const segments: OpenSegment[] = [];
    for (const id of ids) {
      const segment = open.get(id) ?? (yield* openSegment(this.#db, id));
      if (segment !== null) segments.push(segment);
    }
    return segments;
  }
}

/** The number of the scope; null if it was never used. */
function* scopeOf(db: SqlDatabase, { tenant, project, user }: Scope): Work<number | null> {
  const sql = 'SELECT id FROM scopes WHERE tenant = ? AND project = ? AND "user" = ?';
  return (yield* db.get<{ id: number }>(sql, tenant, project, user))?.id ?? null;
}

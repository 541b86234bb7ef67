/**
 * The full-text index of a store, the same over both databases: an inverted index of each scope's texts, as rows.
 *
 * An append adds no words. They follow when enough events of a scope wait, and always before somebody searches the
 * scope, so that a search finds what was acknowledged before it.
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

/** As many events of a scope this process leaves waiting before an append indexes them. */
const MOST_WAITING = 512;
/** Scopes for which waiting events are counted. What is not counted is indexed by the next search. */
const MOST_SCOPES = 10_000;
/** Texts whose tables are kept in memory, some 30 bytes each. */
const MOST_TEXTS = 1_000_000;

export class SearchIndex implements TextIndex {
  readonly #db: SqlDatabase;
  /** Events written by this process since it last indexed their scope. */
  readonly #waiting = new Map<number, number>();
  /** Tables of the scopes searched last, the latest at the end. */
  readonly #open = new Map<number, ScopeTexts>();

  constructor(db: SqlDatabase) {
    this.#db = db;
  }

  add({ scope }: IndexedConversation): void {
    if (this.#waiting.size >= MOST_SCOPES && !this.#waiting.has(scope)) this.#waiting.clear();
    this.#waiting.set(scope, (this.#waiting.get(scope) ?? 0) + 1);
  }

  /** Where the index is damaged, all of the scope's goes, and is made anew before its next search. */
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
      yield* this.#db.run("UPDATE conversations SET indexed_seq = 0 WHERE scope = ?", scope);
    }
  }

  *reindex(conversation: IndexedConversation): Work<void> {
    yield* this.forget(conversation);
    yield* this.#db.run("UPDATE conversations SET indexed_seq = 0 WHERE id = ?", conversation.id);
  }

  async keepUp(scope: number): Promise<void> {
    if ((this.#waiting.get(scope) ?? 0) <= MOST_WAITING) return;
    this.#waiting.delete(scope);
    await this.#db.write(() => indexPiece(this.#db, scope));
  }

  async keepUpWhole(scope: number): Promise<void> {
    if ((await this.#db.read(() => countWaiting(this.#db, scope))) > MOST_WAITING) await this.#catchUp(scope);
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

  /** Indexes everything that waits in the scope now. */
  async #catchUp(scope: number, signal?: AbortSignal): Promise<void> {
    this.#waiting.delete(scope);
    while ((await this.#db.read(() => countWaiting(this.#db, scope), signal)) > 0) {
      await this.#db.write(() => indexPiece(this.#db, scope), signal);
      await yieldToOthers();
    }
  }

  /** Inside a read transaction. Segments never change, so that those that are known need not be read again. */
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
      if (kept <= MOST_TEXTS) break;
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

/** The scope's number; null when nobody has used it. */
function* scopeOf(db: SqlDatabase, { tenant, project, user }: Scope): Work<number | null> {
  const sql = 'SELECT id FROM scopes WHERE tenant = ? AND project = ? AND "user" = ?';
  return (yield* db.get<{ id: number }>(sql, tenant, project, user))?.id ?? null;
}

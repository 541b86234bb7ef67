/**
 * The sources pool: rows with SIDs that never change and are never used twice.
 *
 * The pool keeps an index by identity, so a merge costs as much as the incoming rows, however long the conversation is.
 * Rows are values: a row that changes is replaced, one that does not keeps its reference.
 */
import type { JsonObject } from "../json.ts";
import { sourceIdentity } from "./identity.ts";
import { admitRow, mergeRow } from "./merge.ts";
import { badSource, checkRows, isSid, type SourceInput, type SourceRow } from "./row.ts";

export interface MergeReport {
  /** The SID each incoming row ended with, in their order. */
  readonly sids: number[];
  /** Rows that are new or differ from before, each once, in the order they were first touched. */
  readonly changed: SourceRow[];
}

export class SourcesPool {
  readonly #rows: SourceRow[] = [];
  readonly #byIdentity = new Map<string, number>();
  readonly #bySid = new Map<number, number>();
  #maxSid = 0;
  #revision = 0;

  /** Every row is kept and no valid SID changed, even when rows repeat; a row without a valid SID gets the next. */
  constructor(rows: readonly JsonObject[] = []) {
    checkRows(rows);
    for (const row of rows) if (isSid(row.sid) && row.sid > this.#maxSid) this.#maxSid = row.sid;
    for (const row of rows) this.#append(isSid(row.sid) ? (row as SourceRow) : withSid(row, this.#nextSid()));
  }

  /** Moves whenever a row may have changed. */
  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#rows.length;
  }

  /** The rows in the order they came. A live view: it grows with the pool. */
  rows(): readonly SourceRow[] {
    return this.#rows;
  }

  get(sid: number): SourceRow | undefined {
    const at = this.#bySid.get(sid);
    return at === undefined ? undefined : this.#rows[at];
  }

  has(sid: number): boolean {
    return this.#bySid.has(sid);
  }

  /** Merges rows in order, repeats among them too. All of them or, with `bad_source`, none. */
  merge(rows: readonly SourceInput[]): MergeReport {
    checkRows(rows);
    if (!Number.isSafeInteger(this.#maxSid + rows.length)) throw badSource("the pool has no SIDs left");
    const sids: number[] = [];
    const before = new Map<number, SourceRow | undefined>();
    for (const row of rows) {
      const at = this.#place(row, before);
      sids.push(this.#rowAt(at).sid);
    }
    const changed: SourceRow[] = [];
    this.#revision++;
    for (const [at, old] of before) if (this.#rowAt(at) !== old) changed.push(this.#rowAt(at));
    return { sids, changed };
  }

  /** Sets rows as they stand after a merge made elsewhere, each under its own SID. */
  put(rows: readonly SourceRow[]): void {
    for (const row of rows) {
      const at = this.#bySid.get(row.sid);
      if (at === undefined) this.#append(row);
      else this.#rows[at] = row;
      if (row.sid > this.#maxSid) this.#maxSid = row.sid;
    }
    this.#revision++;
  }

  /** Position of the row the incoming one became part of. */
  #place(incoming: SourceInput, before: Map<number, SourceRow | undefined>): number {
    const identity = sourceIdentity(incoming);
    const at = identity === null ? undefined : this.#byIdentity.get(identity);
    if (at === undefined) {
      before.set(this.#rows.length, undefined);
      return this.#append(admitRow(incoming, this.#nextSid()), identity);
    }
    const there = this.#rowAt(at);
    if (!before.has(at)) before.set(at, there);
    this.#rows[at] = mergeRow(there, incoming, identity?.startsWith("local:") ?? false);
    return at;
  }

  #append(row: SourceRow, identity: string | null = sourceIdentity(row)): number {
    const at = this.#rows.length;
    this.#rows.push(row);
    if (identity !== null && !this.#byIdentity.has(identity)) this.#byIdentity.set(identity, at);
    if (!this.#bySid.has(row.sid)) this.#bySid.set(row.sid, at);
    return at;
  }

  #nextSid(): number {
    const sid = this.#maxSid + 1;
    if (!isSid(sid)) throw badSource("the pool has no SIDs left");
    this.#maxSid = sid;
    return sid;
  }

  #rowAt(at: number): SourceRow {
    const row = this.#rows[at];
    if (row === undefined) throw new RangeError(`no row at ${at}`);
    return row;
  }
}

export function createPool(rows: readonly JsonObject[] = []): SourcesPool {
  return new SourcesPool(rows);
}

/** The pool after a merge, as a new list. The inputs are left as they are. */
export function mergeSources(
  pool: readonly JsonObject[],
  rows: readonly SourceInput[],
): MergeReport & { readonly pool: SourceRow[] } {
  const merged = createPool(pool);
  const report = merged.merge(rows);
  return { pool: [...merged.rows()], ...report };
}

/** A row of a stored pool that lost its SID; unlike an incoming one it keeps everything else as it is. */
function withSid(row: JsonObject, sid: number): SourceRow {
  return Object.fromEntries([...Object.entries(row), ["sid", sid]]) as SourceRow;
}

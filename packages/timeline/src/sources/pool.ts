/**
 * The sources pool: rows with SIDs that never change and are never used twice.
 *
 * The pool keeps an index by identity, so the cost of a merge depends only on the incoming rows. Rows are immutable: a
 * row that changes is replaced, and a row that does not change keeps its reference.
 */
import type { JsonObject } from "../base/json.ts";
import { sourceIdentity } from "./identity.ts";
import { admitRow, RowDraft } from "./merge.ts";
import { badSource, checkRows, isSid, type SourceInput, type SourceRow } from "./row.ts";

export interface MergeReport {
  /** The SID of each incoming row after the merge, in order. */
  readonly sids: number[];
  /** Rows that are new or changed, each once, in the order they were first touched. */
  readonly changed: SourceRow[];
}

export class SourcesPool {
  readonly #rows: SourceRow[] = [];
  readonly #byIdentity = new Map<string, number>();
  readonly #bySid = new Map<number, number>();
  #maxSid = 0;
  /** Positions of rows that the current merge has appended. */
  readonly #fresh = new Set<number>();
  #revision = 0;

  /** Keeps every row and every valid SID, even when rows repeat. A row without a valid SID gets the next one. */
  constructor(rows: readonly JsonObject[] = []) {
    checkRows(rows);
    const known = rows.map(readSid);
    for (const sid of known) if (sid !== null && sid > this.#maxSid) this.#maxSid = sid;
    for (const [at, row] of rows.entries()) {
      const sid = known[at] ?? this.#nextSid();
      this.#append(row.sid === sid ? (row as SourceRow) : withSid(row, sid));
    }
  }

  /** A number that changes whenever a row may have changed. */
  get revision(): number {
    return this.#revision;
  }

  /** The highest SID; 0 while the pool is empty. */
  get maxSid(): number {
    return this.#maxSid;
  }

  get size(): number {
    return this.#rows.length;
  }

  /** The rows in order of arrival. A live view: it grows with the pool. */
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

  /** Merges rows in order, including repeats among them. Throws `bad_source` and merges nothing if one is invalid. */
  merge(rows: readonly SourceInput[]): MergeReport {
    checkRows(rows);
    if (!Number.isSafeInteger(this.#maxSid + rows.length)) throw badSource("the pool has no SIDs left");
    /** The rows that a merge touched, by position; null for a new row into which nothing was merged yet. */
    const drafts = new Map<number, RowDraft | null>();
    const sids = rows.map((row) => this.#rowAt(this.#place(row, drafts)).sid);
    const changed: SourceRow[] = [];
    for (const [at, draft] of drafts) {
      const there = this.#rowAt(at);
      const row = draft?.row ?? there;
      this.#rows[at] = row;
      if (row !== there || this.#fresh.delete(at)) changed.push(row);
    }
    this.#fresh.clear();
    this.#revision++;
    return { sids, changed };
  }

  /** Stores rows that another merge has made, each under its own SID. */
  put(rows: readonly SourceRow[]): void {
    for (const row of rows) {
      const at = this.#bySid.get(row.sid);
      if (at === undefined) this.#append(row);
      else this.#rows[at] = row;
      if (row.sid > this.#maxSid) this.#maxSid = row.sid;
    }
    this.#revision++;
  }

  /** Position of the row that the incoming row was merged into. */
  #place(incoming: SourceInput, drafts: Map<number, RowDraft | null>): number {
    const identity = sourceIdentity(incoming);
    const at = identity === null ? undefined : this.#byIdentity.get(identity);
    if (at === undefined) {
      drafts.set(this.#rows.length, null);
      this.#fresh.add(this.#rows.length);
      return this.#append(admitRow(incoming, this.#nextSid()), identity);
    }
    const draft = drafts.get(at) ?? new RowDraft(this.#rowAt(at));
    draft.add(incoming, identity?.startsWith("local:") ?? false);
    drafts.set(at, draft);
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

/** The pool after a merge, as a new list. The inputs are not changed. */
export function mergeSources(
  pool: readonly JsonObject[],
  rows: readonly SourceInput[],
): MergeReport & { readonly pool: SourceRow[] } {
  const merged = createPool(pool);
  const report = merged.merge(rows);
  return { pool: [...merged.rows()], ...report };
}

/** The SID of a stored row, which may be written as a string; null when it has none. */
function readSid(row: JsonObject): number | null {
  const sid = typeof row.sid === "string" && /^[1-9]\d{0,14}$/.test(row.sid) ? Number(row.sid) : row.sid;
  return isSid(sid) ? sid : null;
}

/** Gives a new SID to a stored row that has none. Unlike an incoming row, it keeps all its other fields. */
function withSid(row: JsonObject, sid: number): SourceRow {
  return Object.fromEntries([...Object.entries(row), ["sid", sid]]) as SourceRow;
}

/**
 * The fields of a pool row that a citation needs, and the lookup of the row.
 *
 * Rows come from many writers: a field of the wrong type counts as absent, an entry that is not a row is skipped. If
 * two rows have the same sid, the first counts.
 */
import { CairnError } from "../base/error.ts";
import { isJsonObject } from "../base/json.ts";

export interface CitedSource {
  readonly sid: number;
  readonly title?: unknown;
  readonly url?: unknown;
}

export type SourceLookup = (sid: number) => CitedSource | undefined;

/** Finds rows by SID. A prepared lookup is returned unchanged, so that a caller need not copy a live pool. */
export function sourceLookup(pool: readonly CitedSource[] | SourceLookup): SourceLookup {
  if (typeof pool === "function") return pool;
  if (!Array.isArray(pool))
    throw new CairnError("bad_pool", "The sources pool must be a list of rows or a function from sid to row.");
  const bySid = new Map<number, CitedSource>();
  for (const row of pool as readonly CitedSource[])
    if (isJsonObject(row) && typeof row.sid === "number" && !bySid.has(row.sid)) bySid.set(row.sid, row);
  return (sid) => bySid.get(sid);
}

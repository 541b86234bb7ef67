/** Which rows a selector names. A version suffix is accepted and ignored: a row has only its latest version. */
import { badSelector, expandRanges, parsePoolSelector } from "../path/selector.ts";
import { splitVersion } from "../path/version.ts";
import { SourcesPool } from "./pool.ts";
import { badSource, type SourceRow } from "./row.ts";

export interface Selection {
  /** SIDs that exist, ascending. */
  readonly sids: number[];
  /** Selected SIDs that do not, ascending. */
  readonly missing: number[];
}

/** Reads `so:sources_pool[1-3]`, `sources_pool[1-3]` or `1-3`. Throws `bad_selector` or `selector_too_large`. */
export function selectSources(pool: SourcesPool | readonly SourceRow[], selector: string): Selection {
  if (typeof selector !== "string") throw badSelector(typeof selector);
  const wanted = expandRanges(parsePoolSelector(splitVersion(selector).path));
  const known = pool instanceof SourcesPool ? pool : new Set(sidsOf(pool));
  const sids: number[] = [];
  const missing: number[] = [];
  for (const sid of wanted) (known.has(sid) ? sids : missing).push(sid);
  return { sids, missing };
}

function sidsOf(pool: readonly SourceRow[]): unknown[] {
  if (!Array.isArray(pool)) throw badSource("the rows are not a list");
  return pool.map((row: Partial<SourceRow> | null) => row?.sid);
}

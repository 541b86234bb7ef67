/** Which rows a selector names. A version suffix is accepted and ignored: a row has only its latest version. */
import { expandRanges, parsePoolSelector } from "../path/selector.ts";
import { splitVersion } from "../path/version.ts";
import type { SourcesPool } from "./pool.ts";

export interface Selection {
  readonly sids: number[];
  /** Selected SIDs that do not exist. */
  readonly missing: number[];
}

/** Reads `so:sources_pool[1-3]`, `sources_pool[1-3]` or `1-3`. Throws `bad_selector` or `selector_too_large`. */
export function selectSources(pool: SourcesPool, selector: string): Selection {
  const { sids = [], missing = [] } = Object.groupBy(
    expandRanges(parsePoolSelector(splitVersion(selector).path)),
    (sid) => (pool.has(sid) ? "sids" : "missing"),
  );
  return { sids, missing };
}

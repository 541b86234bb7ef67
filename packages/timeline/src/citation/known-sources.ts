/**
 * Which sources a text can cite: those that were in the pool when the request that produced it was rendered. SIDs
 * ascend and are never reused, so one number is enough: the highest SID at that time. A higher id in the text was
 * invented by the model, and a source that gets this id later is not cited by the text.
 */
import type { Block } from "../block/block.ts";
import type { SourceLookup } from "./cited-source.ts";

/** The value in a block's `meta.sources_known`; null when it has none. */
export function sourcesKnownIn(meta: Block["meta"]): number | null {
  const known = meta?.sources_known;
  return typeof known === "number" && Number.isSafeInteger(known) && known >= 0 ? known : null;
}

/** The sources among those of `pool` that a text could know. */
export function knownSources(pool: SourceLookup, known: number): SourceLookup {
  return (sid) => (sid <= known ? pool(sid) : undefined);
}

export interface CitedIds {
  readonly used: readonly number[];
  /** Ids in the text that name no source that the text could know. */
  readonly unknown: readonly number[];
}

export function splitCited(sids: readonly number[], has: (sid: number) => boolean, known: number): CitedIds {
  const isKnown = (sid: number) => sid <= known && has(sid);
  return { used: sids.filter(isKnown), unknown: sids.filter((sid) => !isKnown(sid)) };
}

/**
 * Which sources a text can cite: those that were in the pool when the request that produced it was rendered. SIDs ascend
 * and are never used twice, so that one number says it, the highest SID of that moment. An id above it was invented, and
 * a source that gets it later is none the text cites.
 */
import type { Block } from "../block/block.ts";
import type { SourceLookup } from "./cited-source.ts";

/** What a block says of itself (`meta.sources_known`); null when it says nothing. */
export function statedKnown(meta: Block["meta"]): number | null {
  const known = meta?.sources_known;
  return typeof known === "number" && Number.isSafeInteger(known) && known >= 0 ? known : null;
}

/** The sources among those of `pool` that a text could know. */
export function knownLookup(pool: SourceLookup, known: number): SourceLookup {
  return (sid) => (sid <= known ? pool(sid) : undefined);
}

export interface CitedIds {
  readonly used: readonly number[];
  /** Ids of no source the text could know. */
  readonly unknown: readonly number[];
}

export function splitCited(sids: readonly number[], has: (sid: number) => boolean, known: number): CitedIds {
  const isKnown = (sid: number) => sid <= known && has(sid);
  return { used: sids.filter(isKnown), unknown: sids.filter((sid) => !isKnown(sid)) };
}

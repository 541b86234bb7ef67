/** Finds the longest cached prefix, by a provider's lookup rules. */
import type { Breakpoint, CacheLookup } from "@cairn/timeline";

/**
 * The index of the wire block whose prefix is read, or -1. `isLive` says whether the prefix that ends with a block is
 * long enough and still cached; `breakpoints` are the indexes of breakpoints that count, ascending.
 */
export function findHit(
  lookup: CacheLookup,
  breakpoints: readonly Breakpoint[],
  length: number,
  isLive: (at: number) => boolean,
): number {
  switch (lookup.kind) {
    case "lookback":
      for (const { i } of breakpoints.toReversed()) {
        const hit = lastLive(i, Math.max(0, i - lookup.positions + 1), isLive);
        if (hit >= 0) return hit;
      }
      return -1;
    case "own_breakpoints": {
      const latest = breakpoints.slice(-lookup.latest).toReversed();
      const first = breakpoints.slice(0, lookup.first).toReversed();
      return [...latest, ...first].find(({ i }) => isLive(i))?.i ?? -1;
    }
    case "automatic":
      return lastLive(length - 1, 0, isLive);
  }
}

function lastLive(from: number, to: number, isLive: (at: number) => boolean): number {
  for (let at = from; at >= to; at--) if (isLive(at)) return at;
  return -1;
}

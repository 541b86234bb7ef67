/** The SIDs a `so:` path of a block names; none for any other path and for one that cannot be read. */
import { CairnError } from "../base/error.ts";
import { expandRanges, parsePoolSelector } from "./selector.ts";

export function sidsOfPath(path: string | undefined): number[] {
  if (!path?.startsWith("so:")) return [];
  try {
    return expandRanges(parsePoolSelector(path));
  } catch (error) {
    if (CairnError.is(error)) return []; // A block may carry any path. An invalid selector names no source.
    throw error;
  }
}

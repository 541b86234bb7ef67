/** What a search may be told. */
import type { PageOptions } from "./call-options.ts";

export interface SearchOptions extends PageOptions {
  /** Only this conversation. */
  readonly conversation?: string;
  /**
   * `ranked` (the default): any word of the query counts, rare ones more; forms of a word meet; a message beside a match
   * is lifted by it; near-repeats are merged. `all`: every word must occur as it is written (the last one may be begun
   * only), the newest first, for lists that people narrow down while they type.
   */
  readonly match?: "ranked" | "all";
  /** Only blocks of these types. */
  readonly types?: readonly string[];
  /** Only blocks of this turn. Needs `conversation`. */
  readonly turn?: string;
  /** Only what was said at this time or later, in epoch milliseconds. The time of a text is known to the second. */
  readonly since?: number;
  /** Only what was said before this time, in epoch milliseconds. */
  readonly until?: number;
  /** Characters of an excerpt, 1 to 4,000; 240 by default. */
  readonly excerptChars?: number;
}

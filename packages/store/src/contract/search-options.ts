/** Options of a search. */
import type { PageOptions } from "./call-options.ts";

export interface SearchOptions extends PageOptions {
  readonly conversation?: string;
  /**
   * `ranked` (default): any word of the query matches, rare words count more, forms of a word match each other, a match
   * raises its neighbouring messages, and near-repeats are merged. `all`: every word must occur as written (the last
   * one may be incomplete), newest first, for lists that people filter while typing.
   */
  readonly match?: "ranked" | "all";
  /** Only blocks of these types. */
  readonly types?: readonly string[];
  /** Only what people may see: no notes, files or summaries that are for the model alone. */
  readonly forPeople?: boolean;
  /** Only blocks of this turn. Needs `conversation`. */
  readonly turn?: string;
  /** Only texts from this time on, in epoch milliseconds. A block without a time has that of its turn. */
  readonly since?: number;
  /** Only texts from before this time, in epoch milliseconds. */
  readonly until?: number;
  /** Characters of an excerpt, 1 to 4,000; 240 by default. */
  readonly excerptChars?: number;
}

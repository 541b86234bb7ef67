/** The first difference between two requests in one part, before anybody asks whether it was declared. */
export interface PrefixPlace {
  readonly part: "tools" | "system" | "block";
  /** Index of the tool or the stable message block; 0 for the system text. */
  readonly index: number;
  /** Name of the tool. */
  readonly name?: string;
}

export interface Difference {
  readonly at: PrefixPlace;
  /** What happened, in a sentence. */
  readonly detail: string;
  /** Short excerpts of what was there and what is there now, where texts are at hand. */
  readonly before?: string;
  readonly after?: string;
}

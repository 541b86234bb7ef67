/** The first difference between two requests in one part, whether or not it was declared. */
export interface PrefixPlace {
  readonly part: "tools" | "system" | "block";
  /** Index of the tool or the stable message block; 0 for the system text. */
  readonly index: number;
  /** Name of the tool that differs. */
  readonly name?: string;
}

export interface Difference {
  readonly at: PrefixPlace;
  /** A sentence that says what happened. */
  readonly detail: string;
  /** Short excerpts of the old and the new text, if the texts are available. */
  readonly before?: string;
  readonly after?: string;
}

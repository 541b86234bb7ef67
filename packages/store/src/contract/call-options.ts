/** Options of every call that can take long. An aborted call throws the signal's reason and saves nothing. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** A page of a list. `cursor` is the `next` of the previous page; only the store can interpret it. */
export interface PageOptions extends CallOptions {
  /** Maximum number of results, from 1 to 1,000; default 50. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
}

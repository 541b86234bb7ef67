/** What every call that can take long accepts. An aborted call throws the signal's reason and keeps nothing. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** A page of a list. `cursor` is what the page before gave as `next`; it means nothing to anybody but the store. */
export interface PageOptions extends CallOptions {
  /** 1 to 1,000; 50 by default. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly next: string | null;
}

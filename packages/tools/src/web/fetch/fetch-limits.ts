/** Limits of time and memory for one page. */
export interface FetchLimits {
  /** Milliseconds for a page from its first request to its last byte, including redirects. */
  readonly totalMs: number;
  /** Milliseconds until a connection is established. */
  readonly connectMs: number;
  /** Maximum bytes as received. */
  readonly wireBytes: number;
  /** Maximum bytes after decompression. */
  readonly bodyBytes: number;
  readonly redirects: number;
}

export const FETCH_LIMITS: FetchLimits = {
  totalMs: 30_000,
  connectMs: 10_000,
  wireBytes: 10_000_000,
  bodyBytes: 20_000_000,
  redirects: 10,
};

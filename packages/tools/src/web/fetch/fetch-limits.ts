/** How much one page may take of time and memory. */
export interface FetchLimits {
  /** Milliseconds for a page from its first request to its last byte, redirects included. */
  readonly totalMs: number;
  /** Milliseconds until a connection stands. */
  readonly connectMs: number;
  /** Bytes as they come over the wire. */
  readonly wireBytes: number;
  /** Bytes once they are unpacked. */
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

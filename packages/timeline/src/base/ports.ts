/** The dependencies that the caller provides, so that the same inputs always give the same outputs. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface Ids {
  /** A turn id: `turn_<epoch_ms>_<6 base36>`. */
  turn(): string;
  /** A call id: `tc_<12 hex>`. */
  call(): string;
}

/** Counts the tokens of a text. Deterministic; called once per text at `contribute`. */
export type CountTokens = (text: string) => number;

/**
 * What a conversation's own past says about its future, for the cost rule.
 *
 * Conversations that went on for long tend to go on for long: as many requests are expected as were made, and at
 * least 40, because pruning half-heartedly early on, and then not at all, costs more than either. The share read again
 * starts at one in five and follows what was really read again.
 */
import type { RemovalPrices } from "./cost-rule.ts";

export interface RemovalPast {
  readonly requests: number;
  /** Tokens pruned so far, and how many of them were read back. */
  readonly prunedTokens: number;
  readonly readAgainTokens: number;
}

const LEAST_REQUESTS = 40;
/** The past of a conversation that has none counts as so many tokens pruned, a fifth of them read back. */
const ASSUMED_PRUNED = 20_000;
const ASSUMED_SHARE = 0.2;

export function expectRemoval(
  past: RemovalPast,
  prices: { readonly read: number; readonly write: number },
): RemovalPrices {
  const readAgain = past.readAgainTokens + ASSUMED_SHARE * ASSUMED_PRUNED;
  return {
    read: prices.read,
    write: prices.write,
    expectedRequests: Math.max(LEAST_REQUESTS, past.requests),
    rereadShare: Math.min(1, readAgain / (past.prunedTokens + ASSUMED_PRUNED)),
  };
}

/**
 * Estimates the future of a conversation from its past, for the cost rule.
 *
 * Long conversations tend to continue: the estimate expects as many requests as were already made, but at least 40,
 * because new conversations pruned too little with a lower minimum (decision 0010). The share of removed content that
 * is read back starts at one fifth and follows the measured share.
 */
import type { RemovalPrices } from "./cost-rule.ts";

export interface RemovalPast {
  readonly requests: number;
  /** Tokens pruned so far, and how many of them were read back. */
  readonly prunedTokens: number;
  readonly readAgainTokens: number;
}

const MIN_REQUESTS = 40;
/** A new conversation counts as if this many tokens had been pruned, and a fifth of them read again. */
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
    expectedRequests: Math.max(MIN_REQUESTS, past.requests),
    rereadShare: Math.min(1, readAgain / (past.prunedTokens + ASSUMED_PRUNED)),
  };
}

/**
 * What a conversation's own past says about its future, for the cost rule.
 *
 * Conversations that went on for long tend to go on for long: as many requests are expected as were made, and at
 * least 40: pruning half-heartedly early on, and then not at all, costs more than either. The share read again starts at one in five and follows what was really read again.
 */
import type { RemovalPrices } from "./cost-rule.ts";

export interface ConversationPast {
  readonly requests: number;
  /** Blocks pruned so far, and how many of them were read back. */
  readonly pruned: number;
  readonly readAgain: number;
}

const LEAST_REQUESTS = 40;

export function expectRemoval(
  past: ConversationPast,
  prices: { readonly read: number; readonly write: number },
): RemovalPrices {
  return {
    read: prices.read,
    write: prices.write,
    expectedRequests: Math.max(LEAST_REQUESTS, past.requests),
    rereadShare: Math.min(1, (past.readAgain + 2) / (past.pruned + 10)),
  };
}

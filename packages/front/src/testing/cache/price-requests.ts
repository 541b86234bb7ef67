/** The price of a whole conversation: its requests sent to one simulated cache, summed up. */
import type { ProviderRules } from "@cairn/timeline";
import { CacheSimulator, type RequestCost } from "./cache-simulator.ts";
import type { TimedRequest } from "./timed-request.ts";

export interface ConversationPrice extends RequestCost {
  readonly requests: number;
  /** The cost divided by the lower bound. */
  readonly ratio: number;
  /** The cost of the tails as a share of the whole cost. */
  readonly tailShare: number;
}

export function priceRequests(requests: Iterable<TimedRequest>, rules: ProviderRules): ConversationPrice {
  const cache = new CacheSimulator(rules);
  const sum = { requests: 0, tokens: 0, read: 0, written: 0, uncached: 0, cost: 0, tail: 0, bound: 0 };
  for (const request of requests) {
    const { tokens, read, written, uncached, cost, tail, bound } = cache.send(request);
    sum.requests++;
    sum.tokens += tokens;
    sum.read += read;
    sum.written += written;
    sum.uncached += uncached;
    sum.cost += cost;
    sum.tail += tail;
    sum.bound += bound;
  }
  return { ...sum, ratio: sum.cost / sum.bound, tailShare: sum.tail / sum.cost };
}

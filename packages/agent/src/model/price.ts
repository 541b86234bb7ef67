/** The cost of a request, in dollars. Thinking counts as output; cached input is counted once, at its own price. */
import type { ModelUsage } from "./model.ts";
import type { ModelPrices } from "./providers/provider.ts";

export function dollarsOf(usage: ModelUsage, prices: ModelPrices | undefined): number {
  if (prices === undefined) return 0;
  const { cacheRead, cacheWrite, cacheWriteLong: long = 0 } = usage;
  const plain = Math.max(0, usage.input - cacheRead - cacheWrite);
  const weighted =
    plain +
    cacheRead * prices.cacheRead +
    Math.max(0, cacheWrite - long) * prices.cacheWrite +
    long * (prices.cacheWriteLong ?? prices.cacheWrite);
  const { longPrompt } = prices;
  const isLong = longPrompt !== undefined && usage.input > longPrompt.above;
  const input = weighted * prices.input * (isLong ? longPrompt.input : 1);
  const output = usage.output * prices.output * (isLong ? longPrompt.output : 1);
  return (input + output) / 1_000_000;
}

/** The usage and cost of a run, added up from the receipts of its requests. */
import type { EventBody } from "@cairn/timeline";

export interface Usage {
  /** Input tokens that were neither read from nor written to the provider's cache. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export interface RunSpending {
  readonly usage: Usage;
  /** Dollars; null if the price of a model is unknown. */
  readonly cost: number | null;
}

export const NO_SPENDING: RunSpending = { usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }, cost: 0 };

export function addReceipt({ usage: sum, cost: total }: RunSpending, receipt: EventBody<"model.receipt">): RunSpending {
  const { usage, cost } = receipt;
  // No usage was reported, because the answer was interrupted.
  if (usage === undefined) return { usage: sum, cost: total };
  return {
    usage: {
      input: sum.input + usage.input_tokens,
      cacheRead: sum.cacheRead + usage.cache_read_tokens,
      cacheWrite: sum.cacheWrite + usage.cache_write_tokens,
      output: sum.output + usage.output_tokens,
    },
    cost: total === null || cost === undefined ? null : total + cost,
  };
}

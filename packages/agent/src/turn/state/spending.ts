/**
 * The cost of model requests in a batch of events: its receipts, and requests that belong to no decision (`aside`),
 * such as the one for a title. The same batch adds this cost to the user's spending, so the spending always agrees with
 * the journal.
 */
import type { Spending } from "@cairn/store";
import type { TimelineEvent } from "@cairn/timeline";
import type { Model, ModelUsage } from "../../model/model.ts";
import { dollarsOf } from "../../model/price.ts";

/** A request that is not a decision, as stored in `meta.set`. A type, so that TypeScript accepts it as JSON. */
export type Aside = {
  /** `summary_part`: for a chunk of a range that is too large for one request. */
  readonly purpose: "title" | "summary_part";
  readonly model: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  /** The cost in dollars. */
  readonly cost: number;
};

export function asideOf(purpose: Aside["purpose"], model: Model, usage: ModelUsage): Aside {
  const { input: input_tokens, output: output_tokens } = usage;
  return { purpose, model: model.id, usage: { input_tokens, output_tokens }, cost: dollarsOf(usage, model.prices) };
}

/** Sums up the spending in a batch of events; null when it contains no request. */
export function spendingOf(events: readonly TimelineEvent[]): Spending | null {
  const requests = events.flatMap((event) => {
    if ("unknown" in event) return [];
    if (event.kind === "model.receipt") return [event.body];
    return event.kind === "meta.set" && isFields(event.body.aside) ? [event.body.aside] : [];
  });
  if (requests.length === 0) return null;
  const tokens = requests.flatMap(({ usage }) => (isFields(usage) ? Object.values(usage) : []));
  return { tokens: sum(tokens), dollars: sum(requests.map(({ cost }) => cost)) };
}

function sum(amounts: readonly unknown[]): number {
  let total = 0;
  for (const amount of amounts)
    if (typeof amount === "number" && amount > 0 && Number.isFinite(amount)) total += amount;
  return total;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/**
 * What a batch of events says models were paid: its receipts, and requests beside the decisions (`aside`), such as for a
 * title. Counted to the user in the batch that tells of it, so that the journal and the count never differ.
 */
import type { Spending } from "@cairn/store";
import type { TimelineEvent } from "@cairn/timeline";
import type { Model, ModelUsage } from "../model/model.ts";
import { dollarsOf } from "../model/price.ts";

/** A request that is no decision, as `meta.set` keeps it. A type, so that it is JSON as it stands. */
export type Aside = {
  /** `summary_part`: of a range that is too large for one request. */
  readonly purpose: "title" | "summary_part";
  readonly model: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  /** In dollars. */
  readonly cost: number;
};

export function asideOf(purpose: Aside["purpose"], model: Model, usage: ModelUsage): Aside {
  const { input: input_tokens, output: output_tokens } = usage;
  return { purpose, model: model.id, usage: { input_tokens, output_tokens }, cost: dollarsOf(usage, model.prices) };
}

/** Null when the batch tells of no request. */
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

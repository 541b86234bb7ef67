/**
 * The snapshots that `react.plan` writes: a new plan, a plan with other steps, a closed plan.
 *
 * An update keeps the status of every step whose text is unchanged, even if it moved; equal texts are paired in order.
 * Closing is final: an update of a closed plan leaves it closed. `now` is an ISO time.
 */
import type { Json } from "../base/json.ts";
import { type PlanSnapshot, type StepStatus, stepStatus } from "./plan.ts";

export interface NewPlan {
  readonly plan_id: string;
  readonly steps: readonly string[];
  readonly now: string;
}

export function newPlan({ plan_id, steps, now }: NewPlan): PlanSnapshot {
  return { plan_id, steps: [...steps], status: numbered(steps.map(() => "pending")), created_ts: now, last_ts: now };
}

export function updatePlan(plan: PlanSnapshot, steps: readonly string[], now: string): PlanSnapshot {
  const kept = new Map<string, StepStatus[]>();
  for (let index = plan.steps.length - 1; index >= 0; index--) {
    const text = plan.steps[index] ?? "";
    const statuses = kept.get(text);
    const status = stepStatus(plan, index + 1);
    if (statuses === undefined) kept.set(text, [status]);
    else statuses.push(status);
  }
  const status = numbered(steps.map((text) => kept.get(text)?.pop() ?? "pending"));
  return { ...plan, steps: [...steps], status, last_ts: now };
}

export function closePlan(plan: PlanSnapshot, now: string): PlanSnapshot {
  return { ...plan, closed: true, last_ts: now };
}

function numbered(statuses: readonly StepStatus[]): Record<string, Json> {
  return Object.fromEntries(statuses.map((status, index) => [String(index + 1), status]));
}

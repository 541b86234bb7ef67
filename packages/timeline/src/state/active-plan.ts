/** The active plan of a timeline, from its blocks and the digest of its summary. A plan is announced, never stored. */
import { activePlan, type PlanSnapshot } from "../plan/plan.ts";
import type { TimelineState } from "./state.ts";

export function findActivePlan(state: TimelineState): PlanSnapshot | null {
  return activePlan(state.planEntries.flatMap((entry) => entry.kind.plans?.(entry) ?? []));
}

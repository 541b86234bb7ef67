/**
 * The active plan of a timeline. It is announced with every request and never stored: plans are snapshots among the
 * blocks, and the digest of a summary keeps those that a compaction covered.
 */

import { activePlan, type PlanSnapshot } from "../plan/plan.ts";
import type { TimelineState } from "./state.ts";

export function findActivePlan(state: TimelineState): PlanSnapshot | null {
  return activePlan(state.planEntries.flatMap((entry) => entry.kind.plans?.(entry) ?? []));
}

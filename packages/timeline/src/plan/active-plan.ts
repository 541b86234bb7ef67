/**
 * The active plan of a timeline. It is announced with every request and never stored: plans are snapshots among the
 * blocks, and the digest of a summary keeps those that a compaction covered.
 */
import { digestOfSummary } from "../compact/digest.ts";
import type { TimelineState } from "../state/state.ts";
import { activePlan, type PlanSnapshot, parsePlan } from "./plan.ts";

export function findActivePlan(state: TimelineState): PlanSnapshot | null {
  const snapshots: PlanSnapshot[] = [];
  for (const entry of state.planEntries) {
    if (entry.block.type === "conv.range.summary") snapshots.push(...digestOfSummary(entry).open_plans);
    else {
      const plan = entry.json === null ? null : parsePlan(entry.json);
      if (plan !== null) snapshots.push(plan);
    }
  }
  return activePlan(snapshots);
}

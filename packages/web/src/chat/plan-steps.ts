/**
 * Which steps of a plan are shown. A long plan would push the work it is about out of sight: of such a one a few steps
 * are shown, around the one that is worked on.
 */
import type { PlanView } from "@cairn/timeline";

/** As many steps are shown whole. */
const SHORT = 12;
const SHOWN = 7;

export interface StepsInSight {
  /** The first that is shown, and the one behind the last. */
  readonly from: number;
  readonly to: number;
}

export function stepsInSight({ steps }: PlanView, isWhole: boolean): StepsInSight {
  if (isWhole || steps.length <= SHORT) return { from: 0, to: steps.length };
  const working = steps.findIndex(({ status }) => status === "in_progress");
  const open = steps.findIndex(({ status }) => status === "pending");
  const current = working >= 0 ? working : open >= 0 ? open : steps.length;
  // Two that are done before it, the others after it.
  const from = Math.max(0, Math.min(current - 2, steps.length - SHOWN));
  return { from, to: from + SHOWN };
}

/** Chooses the steps of a plan that are shown: for a long plan, only a few around the current one. */
import type { PlanView } from "@cairn/timeline";

/** Maximum number of steps of a plan that is shown completely. */
const SHORT = 12;
const SHOWN = 7;

export interface StepsInSight {
  /** The index of the first shown step, and the index after the last shown step. */
  readonly from: number;
  readonly to: number;
}

export function stepsInSight({ steps }: PlanView, isWhole: boolean): StepsInSight {
  if (isWhole || steps.length <= SHORT) return { from: 0, to: steps.length };
  const working = steps.findIndex(({ status }) => status === "in_progress");
  const open = steps.findIndex(({ status }) => status === "pending");
  const current = working >= 0 ? working : open >= 0 ? open : steps.length;
  // Shows two completed steps before the current step, and uses the other places for later steps.
  const from = Math.max(0, Math.min(current - 2, steps.length - SHOWN));
  return { from, to: from + SHOWN };
}

/**
 * A plan: numbered steps with the status of each, as one JSON snapshot. Snapshots are never edited; every change is a
 * new one, and of each plan only the latest counts.
 *
 * A step without a status, or with an unknown one, is pending. A plan is complete when no step is pending or in
 * progress, so a failed step does not keep it open and a plan without steps is complete.
 */
import { isJsonObject, type Json, type JsonObject, parseJsonObject } from "../base/json.ts";

export type StepStatus = "done" | "failed" | "pending" | "in_progress";
const STEP_STATUSES: readonly StepStatus[] = ["done", "failed", "pending", "in_progress"];

export interface PlanSnapshot {
  readonly plan_id: string;
  readonly steps: readonly string[];
  /** Status by step number, counted from 1. Unknown entries are kept. */
  readonly status: JsonObject;
  readonly created_ts?: string | null;
  readonly last_ts?: string | null;
  readonly closed?: boolean | null;
  readonly [field: string]: Json | undefined;
}

export const STEP_MARKS: Readonly<Record<StepStatus, string>> = {
  done: "✓",
  failed: "✗",
  pending: "□",
  in_progress: "…",
};

/** Reads the plan in a block's text or in a parsed object; null if there is none. Unknown fields are kept. */
export function parsePlan(source: unknown): PlanSnapshot | null {
  const plan = typeof source === "string" ? parseJsonObject(source) : source;
  if (!isJsonObject(plan)) return null;
  if (typeof plan.plan_id !== "string" || plan.plan_id === "") return null;
  if (!Array.isArray(plan.steps) || !plan.steps.every((step) => typeof step === "string")) return null;
  if (!isAbsent(plan.status) && !isJsonObject(plan.status)) return null;
  if (!isAbsent(plan.created_ts) && typeof plan.created_ts !== "string") return null;
  if (!isAbsent(plan.last_ts) && typeof plan.last_ts !== "string") return null;
  if (!isAbsent(plan.closed) && typeof plan.closed !== "boolean") return null;
  const snapshot = isAbsent(plan.status) ? { ...plan, status: {} } : plan;
  return snapshot as PlanSnapshot;
}

/** The status of step `step`, counted from 1. */
export function stepStatus(plan: PlanSnapshot, step: number): StepStatus {
  const key = String(step);
  const status = Object.hasOwn(plan.status, key) ? plan.status[key] : undefined;
  return STEP_STATUSES.find((known) => known === status) ?? "pending";
}

export function isPlanComplete(plan: PlanSnapshot): boolean {
  return plan.steps.every((_, index) => {
    const status = stepStatus(plan, index + 1);
    return status === "done" || status === "failed";
  });
}

/**
 * The plan to announce: the most recent snapshot of a plan that is neither closed nor complete, looking only at the
 * latest snapshot of each plan. So an older plan that is still open follows a finished one.
 */
export function activePlan(snapshotsInOrder: readonly PlanSnapshot[]): PlanSnapshot | null {
  const settled = new Set<string>();
  for (let index = snapshotsInOrder.length - 1; index >= 0; index--) {
    const plan = snapshotsInOrder[index];
    if (plan === undefined || settled.has(plan.plan_id)) continue;
    if (plan.closed !== true && !isPlanComplete(plan)) return plan;
    settled.add(plan.plan_id);
  }
  return null;
}

/** The plan as the model sees it, below the renderer's header: its id, then one line per step. */
export function renderPlan(plan: PlanSnapshot): string {
  const steps = plan.steps.map(
    (step, index) => `${STEP_MARKS[stepStatus(plan, index + 1)]} ${index + 1}) ${onOneLine(step)}`,
  );
  return [`id=${onOneLine(plan.plan_id)}`, ...steps].join("\n");
}

/** The text of a step on one line: line breaks become spaces. */
export function onOneLine(text: string): string {
  if (!/[\r\n]/.test(text)) return text;
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

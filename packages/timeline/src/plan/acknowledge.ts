/**
 * Acknowledgements: the lines of a decision's notes by which the agent updates its plan.
 *
 * An ack line starts with a mark (`✓` done, `✗` failed, `□` pending, `…` or `→` in progress) and then `[n]`, `n.` or
 * `n)`. Spaces and tabs may stand before the mark and between mark and number; anything else before the mark, such as a
 * list bullet, makes the line ordinary text, and so does a decimal (`✓ 1.5 s`). A number that no step has is ignored.
 * When a step is named twice, the last line counts.
 *
 * The ack text lists the steps that changed, in step order, as `<mark> <n>. <step text>`.
 */
import { onOneLine, type PlanSnapshot, STEP_MARKS, type StepStatus, stepStatus } from "./plan.ts";

export interface Acknowledgement {
  /** The new snapshot; the given one when nothing changed. */
  readonly plan: PlanSnapshot;
  /** The changed steps, one per line; null when nothing changed. */
  readonly ack: string | null;
}

const STATUS_OF_MARK: ReadonlyMap<string, StepStatus> = new Map([
  ["✓", "done"],
  ["✗", "failed"],
  ["□", "pending"],
  ["…", "in_progress"],
  ["→", "in_progress"],
]);

const ACK_LINE = /^[ \t]*([✓✗□…→])[ \t]*(?:\[(\d+)\]|(\d+)(?:\.(?!\d)|\)))/;

/** Applies the ack lines of `notes`. `now`, an ISO time, is written as `last_ts` when a step changed. */
export function acknowledgePlan(plan: PlanSnapshot, notes: string, now?: string): Acknowledgement {
  const named = new Map<number, StepStatus>();
  for (const line of notes.split("\n")) {
    const match = ACK_LINE.exec(line);
    const status = match === null ? undefined : STATUS_OF_MARK.get(match[1] ?? "");
    if (match === null || status === undefined) continue;
    const step = Number(match[2] ?? match[3]);
    if (step >= 1 && step <= plan.steps.length) named.set(step, status);
  }
  const changed = [...named]
    .filter(([step, status]) => stepStatus(plan, step) !== status)
    .sort(([left], [right]) => left - right);
  if (changed.length === 0) return { plan, ack: null };

  const status = { ...plan.status, ...Object.fromEntries(changed.map(([step, value]) => [String(step), value])) };
  const ack = changed
    .map(([step, value]) => `${STEP_MARKS[value]} ${step}. ${onOneLine(plan.steps[step - 1] ?? "")}`)
    .join("\n");
  return { plan: { ...plan, status, ...(now === undefined ? {} : { last_ts: now }) }, ack };
}

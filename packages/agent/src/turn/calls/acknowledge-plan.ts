/**
 * Progress on the plan that the agent reports in its notes: a block with the acks, then a block with the new plan.
 * Lines about unknown steps, or about steps that already have the status, are ignored.
 *
 * The text of an answer is read in the same way, as the notes of the last decision. An ack has the number of its
 * decision.
 */
import { acknowledgePlan, type Block, findActivePlan, type JsonObject } from "@cairn/timeline";
import type { TurnContext } from "../state/turn-context.ts";

/** The blocks to add after the notes. `callId` is the call of the notes, null for an answer. */
export function planProgress(context: TurnContext, notes: string, callId: string | null): readonly Block[] {
  const { journal, now, progress, turnId } = context;
  const active = findActivePlan(journal.timeline.state);
  if (active === null) return [];
  const { plan, ack } = acknowledgePlan(active, notes, new Date(now()).toISOString());
  if (ack === null) return [];
  const iteration = progress.spent.iterations;
  const meta: JsonObject = { iteration, ...(callId === null ? {} : { tool_call_id: callId }) };
  const common = { author: "react", turn_id: turnId, meta };
  return [
    {
      ...common,
      type: "react.plan.ack",
      path: `ar:${turnId}.react.plan.ack.${iteration}`,
      mime: "text/markdown",
      text: ack,
    },
    {
      ...common,
      type: "react.plan",
      path: `ar:${turnId}.react.plan.${plan.plan_id}`,
      mime: "application/json",
      text: JSON.stringify(plan),
    },
  ];
}

/**
 * Progress on the plan, as the agent reports it in its notes: an ack line for what changed, then the plan as it stands
 * now. Lines about no step of the active plan, or about one that stands so already, leave nothing.
 *
 * Also read from the text of an answer: it is the notes of the decision that ends the turn. The ack is numbered by the
 * decision it came from.
 */
import { acknowledgePlan, type Block, findActivePlan, type JsonObject } from "@cairn/timeline";
import type { TurnContext } from "./turn-context.ts";

/** The blocks to put behind the notes. `callId` is the call the notes belong to, null for an answer. */
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

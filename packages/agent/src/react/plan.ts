/**
 * `react.plan`: makes a plan, changes its steps, or closes it. Written to the timeline: a block with the whole plan,
 * then its id and status. The model marks steps as done in its notes and not with this tool.
 *
 * The id of a plan is derived from its call, so a call that is run again makes the same plan.
 */
import {
  CairnError,
  closePlan,
  isPlanComplete,
  newPlan,
  type PlanSnapshot,
  type RoundLabel,
  updatePlan,
} from "@cairn/timeline";
import { z } from "zod";
import { defineTool, type ToolContext } from "../tool/tool.ts";

const params = z.object({
  mode: z.enum(["new", "update", "close"]).describe("new: make a plan. update: replace its steps. close: it is over."),
  steps: z
    .array(z.string().trim().min(1).max(1_000))
    .max(50)
    .optional()
    .describe("The steps, for new and update. Steps whose text stays the same keep their status."),
  plan_id: z.string().optional().describe("Which plan; the active one by default."),
});

type PlanParams = z.output<typeof params>;

const MADE: RoundLabel = { icon: "plan", done: "Made a plan", doing: "Make a plan" };
const LABELS: ReadonlyMap<unknown, RoundLabel> = new Map([
  ["update", { icon: "plan", done: "Changed the plan", doing: "Change the plan" }],
  ["close", { icon: "plan", done: "Closed the plan", doing: "Close the plan" }],
]);

export const planTool = defineTool({
  id: "react.plan",
  description:
    "Plan work of several steps, and change or close the plan. Report progress in your notes, one line a step: " +
    "✓ 1. done, ✗ 2. failed, … 3. in progress.",
  params,
  builtin: true,
  traits: { refers: true, label: ({ mode }) => LABELS.get(mode) ?? MADE },
  idempotent: true,
  run: async (given, context) => (scribe) => {
    const plan = nextPlan(given, context);
    const path = `ar:${context.turnId}.react.plan.${plan.plan_id}`;
    scribe.block({ type: "react.plan", path, mime: "application/json", text: JSON.stringify(plan) });
    const status = plan.closed === true ? "closed" : isPlanComplete(plan) ? "complete" : "active";
    scribe.result(JSON.stringify({ plan_id: plan.plan_id, status, steps: plan.steps.length }), "application/json");
  },
});

function nextPlan({ mode, steps, plan_id }: PlanParams, context: ToolContext): PlanSnapshot {
  const now = new Date(context.now()).toISOString();
  if (mode === "new")
    return newPlan({ plan_id: `plan_${context.callId.replace(/^tc_/, "")}`, steps: required(steps, mode), now });
  const plan = context.plan(plan_id);
  if (plan === null) {
    const which = plan_id === undefined ? "no active plan" : `no plan ${plan_id.slice(0, 100)}`;
    throw new CairnError("no_plan", `There is ${which}. Make one with mode new.`);
  }
  if (mode === "close") return closePlan(plan, now);
  if (plan.closed === true) throw new CairnError("plan_closed", `Plan ${plan.plan_id} is closed. Make a new one.`);
  return updatePlan(plan, required(steps, mode), now);
}

function required(steps: PlanParams["steps"], mode: string): readonly string[] {
  if (steps === undefined || steps.length === 0) throw new CairnError("no_steps", `Mode ${mode} needs \`steps\`.`);
  return steps;
}

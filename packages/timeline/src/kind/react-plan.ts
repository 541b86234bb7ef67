/** `react.plan`: a snapshot of a plan. */
import type { JsonObject } from "../base/json.ts";
import { paragraph } from "../message/paragraph.ts";
import { type PlanSnapshot, parsePlan, renderPlan, stepStatus } from "../plan/plan.ts";
import type { PlanView } from "../view/turn/turn-view.ts";
import { defineKind } from "./block-kind.ts";

export const reactPlan = defineKind({
  type: "react.plan",
  role: "plan",
  header: "[REACT.PLAN]",
  content: () => null,
  view: ({ json }, text, rules) => {
    const plan = planIn(json);
    return paragraph(`[REACT.PLAN]\n${rules.payload(plan === null ? text : renderPlan(plan))}`);
  },
  addToTurn: (turn, { block }) => {
    const plan = parsePlan(block.text);
    return plan === null ? turn : { ...turn, plan: viewPlan(plan) };
  },
  addToDigest: ({ json }, _, digest) => {
    const plan = planIn(json);
    if (plan !== null) digest.addPlan(plan);
  },
  plans: ({ json }) => {
    const plan = planIn(json);
    return plan === null ? [] : [plan];
  },
});

function planIn(json: JsonObject | null): PlanSnapshot | null {
  return json === null ? null : parsePlan(json);
}

function viewPlan(plan: PlanSnapshot): PlanView {
  const steps = plan.steps.map((text, index) => ({ text, status: stepStatus(plan, index + 1) }));
  return { id: plan.plan_id, steps, closed: plan.closed === true };
}

import type { PlanView } from "@cairn/timeline";
import { expect, test } from "vitest";
import { stepsInSight } from "./plan-steps.ts";

type Status = PlanView["steps"][number]["status"];

function plan(...parts: readonly (readonly [count: number, status: Status])[]): PlanView {
  const steps = parts.flatMap(([count, status]) => Array.from({ length: count }, () => ({ text: "a step", status })));
  return { id: "plan_1", steps, closed: false };
}

test("a short plan is shown whole, and a long one when that is asked for", () => {
  expect(stepsInSight(plan([12, "pending"]), false)).toEqual({ from: 0, to: 12 });
  expect(stepsInSight(plan([50, "pending"]), true)).toEqual({ from: 0, to: 50 });
});

test("of a long plan the current step is visible, with the steps before and after it", () => {
  expect(stepsInSight(plan([50, "pending"]), false)).toEqual({ from: 0, to: 7 });
  expect(stepsInSight(plan([20, "done"], [1, "in_progress"], [29, "pending"]), false)).toEqual({ from: 18, to: 25 });
  expect(stepsInSight(plan([20, "done"], [30, "pending"]), false)).toEqual({ from: 18, to: 25 });
  expect(stepsInSight(plan([49, "done"], [1, "in_progress"]), false)).toEqual({ from: 43, to: 50 });
  expect(stepsInSight(plan([50, "done"]), false)).toEqual({ from: 43, to: 50 });
});

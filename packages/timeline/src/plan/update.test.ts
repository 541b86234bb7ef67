import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { activePlan } from "./plan.ts";
import { closePlan, newPlan, updatePlan } from "./update.ts";

const fresh = newPlan({ plan_id: "p", steps: ["a", "b"], now: "t0" });

describe("plan snapshots", () => {
  test("a new plan starts with every step pending", () => {
    expect(fresh).toEqual({
      plan_id: "p",
      steps: ["a", "b"],
      status: { "1": "pending", "2": "pending" },
      created_ts: "t0",
      last_ts: "t0",
    });
  });

  test("an update keeps the status of unchanged steps, wherever they moved", () => {
    const moved = updatePlan({ ...fresh, status: { "1": "done", "2": "failed" }, owner: "x" }, ["b", "c", "a"], "t1");
    expect(moved).toEqual({
      plan_id: "p",
      steps: ["b", "c", "a"],
      status: { "1": "failed", "2": "pending", "3": "done" },
      created_ts: "t0",
      last_ts: "t1",
      owner: "x",
    });
  });

  test("equal step texts are paired in order", () => {
    const twice = { plan_id: "p", steps: ["a", "a"], status: { "1": "done", "2": "in_progress" } };
    expect(updatePlan(twice, ["a", "x", "a", "a"], "t1").status).toEqual({
      "1": "done",
      "2": "pending",
      "3": "in_progress",
      "4": "pending",
    });
  });

  test("steps named like object internals are ordinary steps", () => {
    expect(updatePlan(fresh, ["__proto__", "constructor"], "t1").status).toEqual({ "1": "pending", "2": "pending" });
  });

  test("a closed plan is no longer announced, and an update does not announce it again", () => {
    const closed = closePlan(fresh, "t1");
    expect(closed).toEqual({ ...fresh, closed: true, last_ts: "t1" });
    expect(activePlan([fresh, closed])).toBeNull();
    expect(activePlan([fresh, closed, updatePlan(closed, ["z"], "t2")])).toBeNull();
  });

  test("an update to the same steps changes no status", () => {
    const steps = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 6 });
    fc.assert(
      fc.property(steps, fc.array(fc.constantFrom("done", "failed", "pending", "in_progress")), (texts, statuses) => {
        const status = Object.fromEntries(texts.map((_, index) => [String(index + 1), statuses[index] ?? "pending"]));
        const plan = { plan_id: "p", steps: texts, status };
        expect(updatePlan(plan, texts, "t").status).toEqual(status);
      }),
      { numRuns: runs },
    );
  });
});

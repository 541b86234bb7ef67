import { growthOnDoubling } from "@cairn/testkit/growth";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { activePlan, isPlanComplete, type PlanSnapshot, parsePlan, renderPlan, stepStatus } from "./plan.ts";

const plan = (plan_id: string, steps: string[], status: Record<string, string> = {}): PlanSnapshot => ({
  plan_id,
  steps,
  status,
});

describe("parsePlan", () => {
  test("a snapshot is read from text or from an object, and unknown fields are carried", () => {
    const snapshot = { plan_id: "p", steps: ["a"], status: { "1": "done" }, created_ts: "t", owner: { name: "x" } };
    expect(parsePlan(JSON.stringify(snapshot))).toEqual(snapshot);
    expect(parsePlan(snapshot)).toBe(snapshot);
  });

  test("a missing status is read as an empty one", () => {
    expect(parsePlan({ plan_id: "p", steps: [] })).toEqual({ plan_id: "p", steps: [], status: {} });
    expect(parsePlan({ plan_id: "p", steps: [], status: null })?.status).toEqual({});
  });

  test.each([
    ["no JSON", "plan"],
    ["a cut JSON", '{"plan_id":"p"'],
    ["a list", "[]"],
    ["null", null],
    ["undefined", undefined],
    ["a number", 7],
    ["no plan_id", { steps: [], status: {} }],
    ["an empty plan_id", { plan_id: "", steps: [], status: {} }],
    ["no steps", { plan_id: "p", status: {} }],
    ["steps that are no list", { plan_id: "p", steps: "a", status: {} }],
    ["a step that is no text", { plan_id: "p", steps: ["a", 1], status: {} }],
    ["a status that is a list", { plan_id: "p", steps: [], status: [] }],
    ["a last_ts that is no text", { plan_id: "p", steps: [], status: {}, last_ts: 5 }],
    ["a created_ts that is no text", { plan_id: "p", steps: [], status: {}, created_ts: {} }],
    ["a closed that is no boolean", { plan_id: "p", steps: [], status: {}, closed: "yes" }],
  ])("%s is not a plan", (_, source) => {
    expect(parsePlan(source)).toBeNull();
  });

  test("any input gives a plan or null and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.json()), (source) => {
        const parsed = parsePlan(source);
        if (parsed !== null) expect(typeof renderPlan(parsed)).toBe("string");
      }),
      { numRuns: runs },
    );
  });
});

describe("status", () => {
  test("a step without a known status is pending", () => {
    const odd = plan("p", ["a", "b", "c"], { "1": "finished", "2": "in_progress" });
    expect([1, 2, 3].map((step) => stepStatus(odd, step))).toEqual(["pending", "in_progress", "pending"]);
  });

  test.each<[boolean, Record<string, string>]>([
    [false, {}],
    [false, { "1": "done" }],
    [false, { "1": "done", "2": "in_progress" }],
    [true, { "1": "done", "2": "failed" }],
    [true, { "1": "done", "2": "done", "3": "pending" }],
  ])("complete is %s for %j over two steps", (complete, status) => {
    expect(isPlanComplete(plan("p", ["a", "b"], status))).toBe(complete);
  });

  test("a plan without steps is complete", () => {
    expect(isPlanComplete(plan("p", []))).toBe(true);
  });
});

describe("activePlan", () => {
  const open = plan("open", ["a"]);
  const done = plan("done", ["a"], { "1": "done" });

  test("there is no active plan without a snapshot", () => {
    expect(activePlan([])).toBeNull();
  });

  test("the most recent open plan is active", () => {
    const later = plan("later", ["b"]);
    expect(activePlan([open, later])).toBe(later);
    expect(activePlan([later, open])).toBe(open);
  });

  test("an older open plan is active when the newer one is complete", () => {
    expect(activePlan([open, done])).toBe(open);
  });

  test("only the latest snapshot of a plan counts", () => {
    expect(activePlan([open, { ...open, closed: true }])).toBeNull();
    expect(activePlan([open, { ...open, status: { "1": "done" } }])).toBeNull();
    const touched = { ...open, last_ts: "t" };
    expect(activePlan([open, plan("other", ["b"]), touched])).toBe(touched);
  });

  test("closed: false keeps a plan open", () => {
    const snapshot = { ...open, closed: false };
    expect(activePlan([snapshot])).toBe(snapshot);
  });
});

describe("renderPlan", () => {
  test("each step is on its own line with its mark", () => {
    const shown = plan("plan_abc", ["one", "two", "three", "four"], { "2": "done", "3": "failed", "4": "in_progress" });
    expect(renderPlan(shown)).toBe("id=plan_abc\n□ 1) one\n✓ 2) two\n✗ 3) three\n… 4) four");
  });

  test("a step never breaks into a second line", () => {
    expect(renderPlan(plan("p\nq", ["a\r\n  ✓ 2) b\n"]))).toBe("id=p q\n□ 1) a ✓ 2) b");
  });

  test("time grows linearly with the size of a step", () => {
    const ratio = growthOnDoubling(
      (size) => plan("p", [" ".repeat(size), "\n ".repeat(size)]),
      (input) => renderPlan(input),
      20_000,
    );
    expect(ratio).toBeLessThan(3.3);
  });
});

import { findActivePlan } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json, outline, ToolBench } from "../../test/tool-bench.ts";
import { planTool } from "./plan.ts";

let bench: ToolBench;
beforeEach(async () => {
  bench = await ToolBench.open();
});
afterEach(() => bench[Symbol.asyncDispose]());

describe("react.plan", () => {
  it("leaves the snapshot of the plan, then its id", async () => {
    const { blocks } = await bench.call(planTool, { mode: "new", steps: ["Search", "Write"] });
    expect(outline(blocks)).toEqual([
      "react.plan ar:turn_1.react.plan.plan_1 application/json",
      "react.tool.result tc:turn_1.tc_1.result application/json",
    ]);
    expect(json(blocks[0])).toEqual({
      plan_id: "plan_1",
      steps: ["Search", "Write"],
      status: { 1: "pending", 2: "pending" },
      created_ts: "2026-02-09T02:14:33.000Z",
      last_ts: "2026-02-09T02:14:33.000Z",
    });
    expect(json(blocks[1])).toEqual({ plan_id: "plan_1", status: "active", steps: 2 });
    expect(bench.view("[REACT.PLAN]")).toMatch(/^\[REACT\.PLAN\]\nid=plan_1\n□ 1\) Search\n□ 2\) Write\n\n/);
    expect(findActivePlan(bench.timeline.state)?.plan_id).toBe("plan_1");
  });

  it("replaces the steps of the active plan; a closed plan is no longer announced", async () => {
    await bench.call(planTool, { mode: "new", steps: ["Search"] });
    bench.openTurn("turn_2");
    const updated = await bench.call(planTool, { mode: "update", steps: ["Search", "Read"] });
    expect(updated.blocks[0]?.path).toBe("ar:turn_2.react.plan.plan_1");
    expect(json(updated.blocks[0])).toMatchObject({ plan_id: "plan_1", steps: ["Search", "Read"] });
    const closed = await bench.call(planTool, { mode: "close" });
    expect(json(closed.blocks[0])).toMatchObject({ closed: true });
    expect(json(closed.blocks[1])).toMatchObject({ status: "closed" });
    expect(findActivePlan(bench.timeline.state)).toBeNull();
  });

  it("explains the problem when there is no plan, no step, or the plan is closed", async () => {
    const code = async (params: object) =>
      (json((await bench.call(planTool, params)).blocks[0]).error as { code: string }).code;
    expect(await code({ mode: "close" })).toBe("no_plan");
    expect(await code({ mode: "new" })).toBe("no_steps");
    await bench.call(planTool, { mode: "new", steps: ["a"] });
    await bench.call(planTool, { mode: "close" });
    expect(await code({ mode: "update", plan_id: "plan_3", steps: ["b"] })).toBe("plan_closed");
    expect(await code({ mode: "update", plan_id: "__proto__", steps: ["b"] })).toBe("no_plan");
  });
});

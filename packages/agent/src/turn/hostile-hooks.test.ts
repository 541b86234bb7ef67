/** Tests that a turn ends with an answer for any result of a hook, and that no person's consent is bypassed. */
import { TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AgentHooks } from "../definition/hooks.ts";
import { defineTool } from "../tool/tool.ts";

type BeforeTool = NonNullable<AgentHooks["beforeTool"]>;
type AfterTool = NonNullable<AgentHooks["afterTool"]>;

function nested(levels: number): unknown {
  let inner: unknown = {};
  for (let level = 0; level < levels; level++) inner = { a: inner };
  return inner;
}

function cyclic(): object {
  const loop: { self?: object } = {};
  loop.self = loop;
  return loop;
}

const HOSTILE: readonly (readonly [name: string, value: () => unknown])[] = [
  ["five million characters", () => ({ text: "a".repeat(5_000_000) })],
  ["a million values", () => ({ list: Array.from({ length: 1_000_000 }, () => 1_000_000) })],
  ["101 levels", () => nested(101)],
  ["5,000 levels", () => nested(5_000)],
  ["200,000 levels", () => nested(200_000)],
  ["itself", cyclic],
  ["a number without a form in JSON", () => ({ n: 10n })],
  [
    "a field that throws",
    () => ({
      get text() {
        throw new Error("no");
      },
    }),
  ],
];

function openBench(hooks: AgentHooks, made: unknown[], approval: "always" | "never" = "never") {
  const tool = defineTool({
    id: "shop.order",
    description: "Orders.",
    params: z.looseObject({}),
    approval,
    run: async (params) => {
      made.push(params);
      return { ok: true, ret: { ordered: true } };
    },
  });
  return TurnBench.open({ agent: { tools: [tool], hooks } });
}

const SCRIPT = [{ reply: { calls: [{ name: "shop__order", input: { what: "tea" } }] } }, { reply: { text: "Done." } }];

async function longestEvent(bench: TurnBench): Promise<number> {
  const events = await bench.store.readEvents(bench.key);
  return Math.max(...events.map(({ event }) => JSON.stringify(event.body).length));
}

describe("parameters from a hook", () => {
  it.each(HOSTILE)("a call with %s is not made, and the turn goes on", async (_, value) => {
    const made: unknown[] = [];
    const beforeTool = (() => ({ params: value() })) as BeforeTool;
    for (const approval of ["never", "always"] as const) {
      await using bench = await openBench({ beforeTool }, made, approval);
      bench.simulator.script(SCRIPT);
      expect(await bench.turn("Order")).toMatchObject({ status: "ended", end: { exit: "complete" } });
      expect((await bench.blocks()).some(({ text }) => text?.includes("hook_failed"))).toBe(true);
      expect(await longestEvent(bench)).toBeLessThan(100_000);
    }
    expect(made).toEqual([]);
  });

  it("may have names of a prototype, and change nothing of other objects", async () => {
    const made: unknown[] = [];
    const text = '{"__proto__":{"approval":"never"},"constructor":{"prototype":{"x":1}},"what":"tea"}';
    await using bench = await openBench({ beforeTool: () => ({ params: JSON.parse(text) }) }, made);
    bench.simulator.script(SCRIPT);
    expect(await bench.turn("Order")).toMatchObject({ status: "ended" });
    expect(JSON.stringify(made)).not.toContain("never");
    expect(({} as { approval?: string; x?: number }).approval ?? ({} as { x?: number }).x).toBeUndefined();
  });

  it.each<[string, object]>([
    ["approves the call", { approve: true }],
    ["approves it in its parameters", { params: { what: "car", approve: true, bound: true, isBound: true, hash: "" } }],
    ["names another tool", { params: { what: "car" }, tool: "shop.free" }],
    ["names another call", { params: { what: "car" }, call: "tc_9" }],
    ["allows the tool for good", { params: { what: "car" }, remember: true, grant: "x" }],
  ])("a hook that %s does not replace the consent of a person", async (_, effect) => {
    const made: unknown[] = [];
    await using bench = await openBench({ beforeTool: (() => effect) as BeforeTool }, made, "always");
    bench.simulator.script(SCRIPT);
    const { status } = await bench.turn("Order");
    const { approvalsRequested } = (await bench.store.load(bench.key)).state;
    // Either a person is asked about exactly these parameters, or the call is not made.
    expect(approvalsRequested.size).toBe(status === "waiting" ? 1 : 0);
    expect(made).toEqual([]);
  });
});

describe("results from a hook", () => {
  it.each(HOSTILE)("%s are cut or withheld, and the turn goes on", async (_, value) => {
    const made: unknown[] = [];
    const afterTool = (() => ({ result: value() })) as AfterTool;
    await using bench = await openBench({ afterTool }, made);
    bench.simulator.script(SCRIPT);
    expect(await bench.turn("Order")).toMatchObject({ status: "ended", end: { exit: "complete" } });
    expect(made).toHaveLength(1);
    expect(await longestEvent(bench)).toBeLessThan(4_100_000);
  });
});

it.each(["refuse", "notice"] as const)("a %s of any length is cut", async (field) => {
  const text = "a".repeat(5_000_000);
  for (const name of ["beforeTurn", "beforeRequest", "afterRequest", "beforeTool", "afterTool", "afterTurn"] as const) {
    await using bench = await openBench({ [name]: () => ({ [field]: text }) }, []);
    bench.simulator.script([...SCRIPT, ...SCRIPT, ...SCRIPT]);
    expect((await bench.turn("Order")).status).toBe("ended");
    expect(await longestEvent(bench)).toBeLessThan(100_000);
  }
});

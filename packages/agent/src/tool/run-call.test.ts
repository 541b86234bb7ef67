import { runs } from "@cairn/testkit/runs";
import { CairnError } from "@cairn/timeline";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { json, outline, ToolBench } from "../../test/tool-bench.ts";
import { writeTool } from "../react/write.ts";
import { runCall } from "./run-call.ts";
import { defineTool, type Tool, type ToolEnvelope } from "./tool.ts";

let bench: ToolBench;
beforeEach(async () => {
  bench = await ToolBench.open();
});
afterEach(() => bench[Symbol.asyncDispose]());

const returning = (value: unknown, more: Partial<Tool<object>> = {}) =>
  defineTool({
    id: "shop.find",
    description: "Finds.",
    params: z.looseObject({}),
    run: async () => value as ToolEnvelope,
    ...more,
  });
const throwing = (value: unknown) =>
  returning(null, {
    run: () => {
      throw value;
    },
  });
const errorOf = async (tool: Tool<object>, params: object = {}) => {
  const { blocks, outcome } = await bench.call(tool, params);
  expect(outcome).toBe("error");
  return json(blocks.at(-1)).error as Record<string, unknown>;
};

describe("a custom tool's call", () => {
  it("leaves its output as one result", async () => {
    const { blocks } = await bench.call(returning({ ok: true, ret: { price: 3 } }), {});
    expect(outline(blocks)).toEqual(["react.tool.result tc:turn_1.tc_1.result application/json"]);
    expect(blocks[0]?.meta).toEqual({ tool_call_id: "tc_1", iteration: 1 });
    expect(bench.view("[TOOL RESULT")).toBe(
      '[TOOL RESULT tc_1].result shop.find\nlogical_path: tc:turn_1.tc_1.result\n{"price":3}\n\n',
    );
    expect((await bench.call(returning({ ok: true, ret: "plain" }), {})).blocks[0]).toMatchObject({
      mime: "text/plain",
      text: "plain",
    });
  });

  it("of an external tool returns the envelope itself when it has no `ret`; a built-in's result is then null", async () => {
    expect((await bench.call(returning({ ok: true, price: 3 }), {})).blocks[0]?.text).toBe('{"price":3}');
    expect((await bench.call(returning({ ok: true, price: 3 }, { builtin: true }), {})).blocks[0]?.text).toBe("null");
  });

  it("leaves an error when the tool reports one, without the tool's internal fields", async () => {
    const { blocks, outcome } = await bench.call(
      returning({ ok: false, error: { code: "gone", message: "No such shop.", where: "shop", managed: true } }),
      {},
    );
    expect(outcome).toBe("error");
    expect(json(blocks[0])).toEqual({
      tool_id: "shop.find",
      tool_call_id: "tc_1",
      error: { code: "gone", message: "No such shop.", where: "shop" },
      ts: "2026-02-09T02:14:33.000Z",
    });
    expect(bench.view("[TOOL RESULT")).toBe(
      "[TOOL RESULT tc_1].summary shop.find\nStatus: error gone: No such shop.\n\n",
    );
  });

  it("shows the value that a failed tool returned besides its error", async () => {
    const { blocks } = await bench.call(returning({ ok: false, error: "half", ret: [1] }), {});
    expect(blocks.map(({ text }) => text?.slice(0, 30))).toEqual([expect.stringContaining("tool_id"), "[1]"]);
  });

  it("cuts an output that is too large, and says so", async () => {
    const { blocks } = await bench.call(returning({ ok: true, ret: "x".repeat(17_000_000) }), {});
    expect(json(blocks[0])).toMatchObject({ code: "tool_call_warning.result_truncated" });
    expect(blocks[1]?.text?.length).toBeLessThan(16_000_100);
  });

  it("becomes an error when the tool throws any value", async () => {
    expect(await errorOf(throwing(new Error("no luck")))).toEqual({ code: "tool_exception", message: "no luck" });
    expect(await errorOf(throwing(new CairnError("own_code", "Said.", { a: 1 })))).toEqual({
      code: "own_code",
      message: "Said.",
      details: { a: 1 },
    });
    const hostile = new Proxy(new Error("x"), {
      get: () => {
        throw new Error("again");
      },
    });
    for (const value of [undefined, null, "text", 3, hostile, new Error("x".repeat(1_000_000))])
      expect(await errorOf(throwing(value))).toMatchObject({ code: "tool_exception", message: expect.any(String) });
  });

  it("becomes an error when the envelope is malformed or cannot be written", async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const value of [undefined, null, 3, [], {}, { ok: "yes" }])
      expect(await errorOf(returning(value))).toMatchObject({ code: "malformed_envelope" });
    for (const ret of [circular, 10n])
      expect(await errorOf(returning({ ok: true, ret }))).toMatchObject({ code: "tool_exception" });
  });

  it("times out when its time is over, even if it ignores the signal", async () => {
    const never = returning(null, { timeout: 10, run: () => new Promise<never>(() => undefined) });
    expect(await errorOf(never)).toMatchObject({ code: "tool_timeout" });
    const listening = returning(null, {
      timeout: 10,
      run: (_, { signal }) =>
        new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
    });
    expect(await errorOf(listening)).toMatchObject({ code: "tool_timeout" });
  });

  it("is stopped at once when the turn is cancelled", async () => {
    const cancel = new AbortController();
    const never = returning(null, { run: () => new Promise<never>(() => undefined) });
    const context = { ...bench.context("tc_1", "shop.find"), signal: cancel.signal };
    const running = runCall(never as Tool, {}, context);
    cancel.abort();
    expect(await running).toMatchObject({ outcome: "error" });
    expect(await runCall(never as Tool, {}, context)).toMatchObject({ outcome: "error" });
  });

  it("keeps the blocks that it wrote before it was stopped, in addition to its error", async () => {
    const stopping = returning(null, {
      timeout: 10,
      run: (_, { ifStopped }) => {
        ifStopped?.((scribe) => scribe.result("half", "text/plain"));
        return new Promise<never>(() => undefined);
      },
    });
    const { blocks } = await bench.call(stopping, {});
    expect(json(blocks[0])).toMatchObject({ error: { code: "tool_timeout" } });
    expect(blocks[1]).toMatchObject({ text: "half" });
    const failing = returning(null, {
      run: (_, { ifStopped }) => {
        ifStopped?.((scribe) => scribe.result("half", "text/plain"));
        throw new Error("broken");
      },
    });
    expect((await bench.call(failing, {})).blocks).toHaveLength(1);
  });

  it("leaves only an error when its settlement throws or returns a promise, and none of the blocks it wrote before", async () => {
    const breaking = returning(null, {
      run: async () => (scribe) => {
        scribe.notice("shop.slow", "It was slow.");
        scribe.result("half", "text/plain");
        throw new Error("broken");
      },
    });
    const { blocks, outcome } = await bench.call(breaking, {});
    expect(outcome).toBe("error");
    expect(outline(blocks)).toEqual([
      "react.notice tc:turn_1.tc_1.notice application/json",
      "react.tool.result tc:turn_1.tc_1.result application/json",
    ]);
    const waiting = returning(null, {
      run: async () =>
        (async () => {
          throw new Error("late");
        }) as never,
    });
    expect(await errorOf(waiting)).toMatchObject({ code: "bad_settlement" });
  });

  it("has a result even when its settlement writes none", async () => {
    const { blocks } = await bench.call(returning(null, { run: async () => () => undefined }), {});
    expect(blocks[0]?.text).toBe('{"ok":true}');
  });

  it("binds references to content in view, and binds a file as a whole", async () => {
    await bench.call(writeTool, { path: "turn_1/files/a.md", content: "the text" });
    const echo = defineTool({
      id: "echo",
      description: "Says it.",
      params: z.object({ text: z.string() }),
      run: async ({ text }) => ({ ok: true, ret: text }),
    });
    expect((await bench.call(echo, { text: "ref:fi:turn_1.files/a.md" })).blocks[0]?.text).toBe("the text");
    const { blocks } = await bench.call(echo, { text: "ref:fi:turn_1.files/b.md" });
    expect(outline(blocks)).toEqual([
      "react.notice tc:turn_1.tc_3.notice application/json",
      "react.tool.result tc:turn_1.tc_3.result application/json",
    ]);
    expect(json(blocks[0])).toMatchObject({
      code: "protocol_violation.param_ref_not_visible",
      path: "fi:turn_1.files/b.md",
    });
    expect(json(blocks[1])).toMatchObject({ error: { code: "param_ref_not_visible" } });
  });

  it("never throws and always leaves exactly one outcome, whatever a tool returns", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.jsonValue(), fc.record({ ok: fc.boolean(), ret: fc.jsonValue(), error: fc.jsonValue() })),
        async (value) => {
          const { blocks } = await bench.call(returning(value), {});
          expect(blocks.some((block) => block.type === "react.tool.result")).toBe(true);
        },
      ),
      { numRuns: Math.min(runs, 2_000) },
    );
  });
});

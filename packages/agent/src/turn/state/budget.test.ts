/** Tests budgets of a user over all conversations. */
import { TurnBench } from "@cairn/testkit/turns";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../tool/tool.ts";
import { userBreachOf } from "./budget.ts";

const tool = defineTool({
  id: "shop.find",
  description: "Finds.",
  params: z.object({ what: z.string() }),
  run: async ({ what }) => ({ ok: true, ret: what }),
});
const find = (what: string) => ({ reply: { calls: [{ name: "shop__find", input: { what } }] } });
const HOUR = 3_600_000;

describe("the time budget of a turn", () => {
  it("includes the time of its tools, before the next request is made", async () => {
    let now = Date.parse("2026-02-09T10:00:00Z");
    const slow = defineTool({
      ...tool,
      run: async () => {
        now += 120_000;
        return { ok: true, ret: "found" };
      },
    });
    await using bench = await TurnBench.open({ agent: { tools: [slow], budgets: { elapsedMs: 60_000 } } });
    bench.simulator.script([find("a"), { reply: { text: "What I have." } }]);
    await bench.say("Find it");
    expect(await bench.run({ now: () => (now += 10) })).toMatchObject({
      end: { exit: "budget", text: "What I have." },
    });
    const last = bench.simulator.requests.at(-1)?.request?.texts.join("\n");
    expect(last).toContain("The budget of 60 seconds is used up.");
  });
});

describe("the budget of a user", () => {
  it("ends a turn in the middle with an answer from the known facts, and refuses the next without calling a model", async () => {
    const budgets = { user: { tokens: 400, windowMs: HOUR } };
    await using bench = await TurnBench.open({ agent: { tools: [tool], budgets } });
    bench.simulator.script([find("a"), find("b"), find("c"), { reply: { text: "So far: a." } }]);
    const outcome = await bench.turn("Find everything");
    expect(outcome).toMatchObject({ end: { exit: "budget" } });
    const requests = bench.simulator.requests.length;
    expect(await bench.turn("And now?")).toMatchObject({
      end: { exit: "budget", text: expect.stringContaining("400 tokens in 60 minutes") },
    });
    expect(bench.simulator.requests).toHaveLength(requests);
    const completion = (await bench.blocks()).findLast(({ type }) => type === "assistant.completion");
    expect(completion?.text).toContain("cannot begin");
  });

  it("counts every conversation of the user and no other's, and recovers over time", async () => {
    const budgets = { user: { dollars: 0.001, windowMs: HOUR } };
    await using bench = await TurnBench.open({ agent: { budgets, instructions: "You help. ".repeat(300) } });
    const conversation = (key: Partial<TurnBench["key"]>) => ({ ...bench.key, ...key });
    const turnIn = async (key: TurnBench["key"], now?: number) => {
      bench.simulator.script([{ reply: { text: "Yes." } }]);
      await bench.store.createConversation(key).catch(() => undefined);
      const input = { key: `${Math.random()}`, mode: "turn" as const, message: "Hi", attachments: [], ts: "" };
      await bench.store.append(key, [{ kind: "input.received", v: 1, body: input }]);
      return bench.run({ key, ...(now === undefined ? {} : { now: () => now }) });
    };
    expect(await turnIn(bench.key, Date.now())).toMatchObject({ end: { exit: "complete" } });
    const other = conversation({ conversation: "c2" });
    expect(await turnIn(other, Date.now())).toMatchObject({ end: { exit: "budget" } });
    expect(await turnIn(conversation({ user: "bob" }), Date.now())).toMatchObject({ end: { exit: "complete" } });
    expect(await turnIn(other, Date.now() + 2 * HOUR)).toMatchObject({ end: { exit: "complete" } });
  });

  it.each([
    [{ tokens: 10, windowMs: 90_000 }, "10 tokens in 1.5 minutes"],
    [{ dollars: 2.5, windowMs: 24 * HOUR }, "$2.5 in 24 hours"],
    [{ dollars: 1, windowMs: 720 * HOUR }, "$1 in 30 days"],
  ])("%j is shown as %s", (budget, what) => {
    expect(userBreachOf({ tokens: 10, dollars: 3 }, budget)).toEqual({ exit: "budget", what });
    expect(userBreachOf({ tokens: 9, dollars: 0.5 }, budget)).toBeNull();
  });
});

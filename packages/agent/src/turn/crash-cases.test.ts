/** Tests turns that wait for a person, compact or are cancelled: they are killed at every step and then continued. */
import type { ModelRequest, Reply } from "@cairn/testkit/models";
import { patience } from "@cairn/testkit/patience";
import { ManualClock, MemoryStore } from "@cairn/testkit/store";
import { comparable, Life, stepsToKillAt, TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerApproval } from "../tool/consent.ts";
import { defineTool } from "../tool/tool.ts";

const TS = "2026-02-09T10:00:00Z";

interface Case {
  readonly reply: (request: ModelRequest) => Reply;
  /** The actions of a person on a waiting turn. */
  readonly whenWaiting?: (bench: TurnBench) => Promise<void>;
}

interface Played {
  readonly steps: readonly string[];
  readonly inDoubt: boolean;
  readonly effects: number;
  readonly types: readonly string[];
  readonly text: string;
  readonly held: unknown;
}

/** Plays three turns; the process dies once, at `killAt`. */
async function play({ reply, whenWaiting }: Case, killAt: number | null): Promise<Played> {
  const clock = new ManualClock();
  let life = new Life(killAt);
  let effects = 0;
  const order = defineTool({
    id: "shop.order",
    description: "Orders.",
    params: z.object({}),
    approval: "always",
    run: async () => {
      life.pass("before the order");
      effects++;
      life.pass("after the order");
      return { ok: true, ret: "ordered" };
    },
  });
  await using bench = await TurnBench.open({
    openStore: async () => new MemoryStore(clock),
    agent: { tools: [order] },
  });
  bench.simulator.script([{ reply, times: Number.POSITIVE_INFINITY }]);
  for (const message of ["First", "Second", "Third"]) await bench.say(message);
  const steps: string[] = [];
  let inDoubt = false;
  const liveOn = async () => {
    const agent = { ...bench.agent, model: life.model(bench.agent.model) };
    for (;;) {
      const { status } = await bench.run({ agent, signal: life.signal, store: life.store(bench.store) });
      if (status === "idle") return;
      if (status === "waiting") await whenWaiting?.(bench);
    }
  };
  for (const next of killAt === null ? [null] : [killAt, null]) {
    life = new Life(next);
    try {
      await liveOn();
    } catch (error) {
      if (error !== life.death) throw error;
      inDoubt = (await bench.store.load(bench.key)).state.unsettled.size > 0;
    }
    steps.push(...life.steps);
    clock.tick(60_000);
  }
  expect(bench.simulator.requests.filter(({ step }) => step === null)).toEqual([]);
  expect(await bench.store.verifyConversation(bench.key)).toEqual([]);
  const held = await comparable(bench.store, bench.key);
  return { steps, inDoubt, effects, types: await bench.types(), text: JSON.stringify(held), held };
}

async function killEverywhere(given: Case): Promise<{ undisturbed: Played; doubts: number }> {
  const undisturbed = await play(given, null);
  let doubts = 0;
  for (const at of stepsToKillAt(undisturbed.steps, { quick: Number.POSITIVE_INFINITY, usual: 2 })) {
    const played = await play(given, at);
    const where = `killed at step ${at}: ${undisturbed.steps[at]}`;
    expect(played.effects, where).toBeLessThanOrEqual(1);
    expect(played.text.split("tool_interrupted").length - 1, where).toBe(played.inDoubt ? 1 : 0);
    if (played.inDoubt) doubts++;
    else expect(played.held, where).toEqual(undisturbed.held);
    expect(played.types.at(-1), where).toBe("react.exit");
  }
  return { undisturbed, doubts };
}

describe("killed at every step", { timeout: patience }, () => {
  const orderOnce = ({ texts }: ModelRequest): Reply =>
    texts.join("\n").includes("[TOOL CALL") ? { text: "Settled." } : { calls: [{ name: "shop__order", input: {} }] };
  const decide = (approve: boolean) => async (bench: TurnBench) => {
    const { state } = await bench.store.load(bench.key);
    for (const asked of state.approvalsRequested.values())
      await bench.append(makeEvent("approval.given", answerApproval(bench.key, asked, { approve, ts: TS })));
  };

  it("a call that waits for consent is made after consent is given, at most once", async () => {
    const { undisturbed, doubts } = await killEverywhere({ reply: orderOnce, whenWaiting: decide(true) });
    expect(undisturbed.effects).toBe(1);
    expect(doubts).toBeGreaterThan(0);
  });

  it("a call that was refused is never made", async () => {
    const { undisturbed, doubts } = await killEverywhere({ reply: orderOnce, whenWaiting: decide(false) });
    expect([undisturbed.effects, doubts]).toEqual([0, 0]);
    expect(undisturbed.text).toContain("approval_denied");
  });

  it("a turn that is cancelled while it waits ends cancelled, and the next one runs", async () => {
    const cancel = (bench: TurnBench) => bench.append(makeEvent("cancel.requested", { key: "stop", ts: TS }));
    const { undisturbed, doubts } = await killEverywhere({ reply: orderOnce, whenWaiting: cancel });
    expect([undisturbed.effects, doubts]).toEqual([0, 0]);
    expect(undisturbed.text).toContain("tool_cancelled");
    expect(undisturbed.types.filter((type) => type === "react.exit")).toHaveLength(3);
  });

  it("a compaction happens once, before the request that needs it", async () => {
    const tooLarge = ({ texts, lastText }: ModelRequest): Reply => {
      const shown = texts.join("\n");
      if (lastText.includes("Summarise")) return { text: "Goal: three turns." };
      if (shown.includes("\nThird") && !shown.includes("[CONVERSATION SUMMARY]")) return { fault: "context_limit" };
      return { text: `Answer. ${"More. ".repeat(100)}` };
    };
    const { undisturbed } = await killEverywhere({ reply: tooLarge });
    expect(undisturbed.types.filter((type) => type === "conv.range.summary")).toHaveLength(1);
  });
});

/**
 * A turn of twelve rounds, killed at every step and gone on with by another process.
 *
 * A step is a call of the store (before it, and after it with the answer lost), a request to the model (before it,
 * within and after the answer) or an effect of a tool (before and after it). A batch of events is stored whole or not
 * at all, so that before and after each append is before and after every event of the journal.
 */
import { ManualClock, MemoryStore } from "@cairn/testkit/store";
import {
  comparable,
  FOLLOW_UP,
  LAST_WORDS,
  Life,
  OPENING,
  partyScript,
  partyTools,
  RISKY,
  ROUNDS,
  STEERING,
  TurnBench,
} from "@cairn/testkit/turns";
import { type Block, makeEvent } from "@cairn/timeline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

interface Played {
  readonly steps: readonly string[];
  /** Risky calls that were under way when the process died. */
  readonly underWay: readonly string[];
  readonly held: unknown;
  readonly blocks: readonly Block[];
  readonly effects: ReadonlyMap<string, number>;
  readonly refused: readonly unknown[];
  readonly defects: readonly unknown[];
  readonly pending: number;
}

/** Plays the turn, and the one of the follow-up, in as many lives as there are kills and one more. */
async function play(kills: readonly number[]): Promise<Played> {
  const clock = new ManualClock();
  const effects = new Map<string, number>();
  let life = new Life(null);
  await using bench: TurnBench = await TurnBench.open({
    openStore: async () => new MemoryStore(clock),
    agent: {
      budgets: { iterations: 40 },
      tools: partyTools({
        pass: (step) => life.pass(step),
        effect: (name) => effects.set(name, (effects.get(name) ?? 0) + 1),
        say: (key, message, mode) =>
          bench.append(
            makeEvent("input.received", { key, mode, message, attachments: [], ts: "2026-02-09T10:00:00Z" }),
          ),
      }),
    },
  });
  bench.simulator.script([partyScript]);
  await bench.say(OPENING);
  const underWay: string[] = [];
  const steps: string[] = [];
  for (const killAt of [...kills, null]) {
    life = new Life(killAt);
    try {
      await liveOn(bench, life);
    } catch (error) {
      if (error !== life.death) throw error;
    }
    steps.push(...life.steps);
    const { state } = await bench.store.load(bench.key);
    if (life.isOver)
      for (const call of state.unsettled.values()) if (RISKY.has(call.tool_id)) underWay.push(call.tool_id);
    clock.tick(60_000);
  }
  const { state } = await bench.store.load(bench.key);
  return {
    ...{ steps, underWay, effects },
    held: await comparable(bench.store, bench.key),
    blocks: await bench.blocks(),
    refused: bench.simulator.requests.filter(({ status, aborted }) => status !== 200 && !aborted),
    defects: await bench.store.verifyConversation(bench.key),
    pending: state.pendingInputs.size + state.unsettled.size + (state.openTurn === null ? 0 : 1),
  };
}

async function liveOn(bench: TurnBench, life: Life): Promise<void> {
  const { signal } = life;
  const agent = { ...bench.agent, model: life.model(bench.agent.model) };
  while ((await bench.run({ agent, signal, store: life.store(bench.store) })).status !== "idle");
}

const textsOf = (blocks: readonly Block[], type: string) =>
  blocks.filter((block) => block.type === type).map((block) => block.text);

const interruptionsOf = (blocks: readonly Block[]) =>
  blocks.filter(({ type, text }) => type === "react.tool.result" && text?.includes('"code":"tool_interrupted"')).length;

/** What must hold however often the process died. */
function expectWhole(played: Played): void {
  expect(textsOf(played.blocks, "user.prompt")).toEqual([OPENING, STEERING, FOLLOW_UP]);
  expect(textsOf(played.blocks, "assistant.completion")).toEqual([expect.stringContaining(LAST_WORDS), "No."]);
  expect(textsOf(played.blocks, "react.exit")).toEqual(['{"exit":"complete"}', '{"exit":"complete"}']);
  expect(textsOf(played.blocks, "react.notes").filter((text) => text?.startsWith("Round"))).toHaveLength(ROUNDS);
  expect({ refused: played.refused, defects: played.defects, pending: played.pending }).toEqual({
    refused: [],
    defects: [],
    pending: 0,
  });
  expect(interruptionsOf(played.blocks)).toBe(played.underWay.length);
  for (const [name, times] of played.effects)
    if (!name.startsWith("price")) expect({ name, times }).toEqual({ name, times: 1 });
}

describe("a turn of twelve rounds", () => {
  let undisturbed: Played;
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeAll(async () => {
    process.on("unhandledRejection", note);
    undisturbed = await play([]);
  });
  afterAll(() => {
    process.off("unhandledRejection", note);
  });

  it("runs to its end undisturbed", () => {
    expectWhole(undisturbed);
    expect(undisturbed.blocks.filter(({ type }) => type === "react.tool.call")).toHaveLength(ROUNDS + 2);
    expect(undisturbed.effects).toEqual(
      new Map([
        ...["order tea", "price tea", "order cake", "price cake", "break glass", "order balloons"].map(
          (name) => [name, 1] as const,
        ),
      ]),
    );
    expect(textsOf(undisturbed.blocks, "react.plan.ack")).toEqual([
      "✓ 1. Plan it",
      "… 2. Buy it",
      "✓ 2. Buy it",
      "✓ 3. Have it",
    ]);
  });

  it("is the same after a kill at any step, and tells of each call that a kill left in doubt", async () => {
    const inDoubt = new Set<string>();
    for (let at = 0; at < undisturbed.steps.length; at++) {
      const played = await play([at]);
      const where = `killed at step ${at}: ${undisturbed.steps[at]}`;
      try {
        expectWhole(played);
        if (played.underWay.length === 0) {
          expect(played.held).toEqual(undisturbed.held);
          expect([...played.effects.keys()]).toEqual([...undisturbed.effects.keys()]);
        }
        for (const toolId of played.underWay) inDoubt.add(toolId);
      } catch (error) {
        throw new Error(where, { cause: error });
      }
    }
    expect(inDoubt).toEqual(RISKY);
    expect(unhandled).toEqual([]);
  });
});

/**
 * Tests a turn of twelve rounds that is killed at every step and continued by another process.
 *
 * A step is a call of the store (before it, and after it with the answer lost), a request to the model (before it,
 * within and after the answer) or an effect of a tool (before and after it). A batch of events is stored completely or
 * not at all, so a crash before and after each append covers every place in the journal.
 *
 * Every second crash happens on a branch. Long runs repeat each crash with a branch and without.
 */
import { patience } from "@cairn/testkit/patience";
import { runs } from "@cairn/testkit/runs";
import {
  FOLLOW_UP,
  FOLLOW_UP_ANSWER,
  HOOKED,
  LAST_WORDS,
  OPENING,
  type PlayedParty,
  playParty,
  playPartyInChildren,
  RISKY,
  ROUNDS,
  STEERING,
  stepsToKillAt,
} from "@cairn/testkit/turns";
import type { Block } from "@cairn/timeline";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const long = runs > 1_000;
const SEVERAL_DEATHS = long ? 2_000 : 4;
/** Number of turns that are played at the same time. Most of the time, these turns wait for sockets. */
const AT_ONCE = 4;
const REAL_KILLS = long ? 100 : 3;

const textsOf = (blocks: readonly Block[], type: string) =>
  blocks.filter((block) => block.type === type).map((block) => block.text);

const interruptionsOf = (blocks: readonly Block[]) =>
  blocks.filter(({ type, text }) => type === "react.tool.result" && text?.includes('"code":"tool_interrupted"'));

/** Returns false for the renewal of the lease, because it depends on the time that a turn takes. */
const isOwnStep = (step: string) => !step.includes("renewLease");

/** The rules that hold after every crash. */
function expectWhole(played: PlayedParty): void {
  const { blocks, defects, effects, inDoubt, pending, refused, undeclared } = played;
  expect(textsOf(blocks, "user.prompt")).toEqual([OPENING, STEERING, FOLLOW_UP]);
  expect(textsOf(blocks, "assistant.completion")).toEqual([expect.stringContaining(LAST_WORDS), FOLLOW_UP_ANSWER]);
  expect(blocks.filter(({ text }) => text?.includes("protocol_violation.bad_output"))).toHaveLength(1);
  expect(textsOf(blocks, "react.exit")).toEqual(['{"exit":"complete"}', '{"exit":"complete"}']);
  expect(textsOf(blocks, "react.notes").filter((text) => text?.startsWith("Round"))).toHaveLength(ROUNDS);
  expect({ refused, defects, pending, undeclared }).toEqual({ refused: [], defects: [], pending: 0, undeclared: [] });
  for (const [text, times] of Object.entries(HOOKED))
    expect([
      text,
      blocks.filter((block) => block.type === "react.notice" && block.text?.includes(text)).length,
    ]).toEqual([...[text, times]]);
  const interrupted = interruptionsOf(blocks).map((block) => block.meta?.tool_call_id);
  expect(interrupted.sort()).toEqual([...inDoubt.keys()].sort());
  for (const [name, times] of effects)
    if (!name.startsWith("price")) expect({ name, times }).toEqual({ name, times: 1 });
}

/** Every outcome is known, so no text may show that a process crashed. */
function expectSame(played: PlayedParty, undisturbed: PlayedParty): void {
  expect(played.held).toEqual(undisturbed.held);
  expect([...played.effects.keys()]).toEqual([...undisturbed.effects.keys()]);
}

describe("a turn of twelve rounds", { timeout: patience }, () => {
  let undisturbed: PlayedParty;
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeAll(async () => {
    process.on("unhandledRejection", note);
    undisturbed = await playParty([], { isBranch: false });
  });
  afterAll(() => {
    process.off("unhandledRejection", note);
  });

  it("runs to its end undisturbed", () => {
    expectWhole(undisturbed);
    expect(undisturbed.blocks.filter(({ type }) => type === "react.tool.call")).toHaveLength(ROUNDS + 2);
    expect([...undisturbed.effects.values()]).toEqual([1, 1, 1, 1, 1, 1]);
    expect(textsOf(undisturbed.blocks, "react.plan.ack")).toEqual([
      "✓ 1. Plan it",
      "… 2. Buy it",
      "✓ 2. Buy it",
      "✓ 3. Have it",
    ]);
  });

  it("has the same outcome on a branch", async () => {
    const onBranch = await playParty([], { isBranch: true });
    expectWhole(onBranch);
    expectSame(onBranch, undisturbed);
    expect(onBranch.steps.filter(isOwnStep)).toEqual(undisturbed.steps.filter(isOwnStep));
  });

  it("has the same outcome after a kill at any step, and reports each call whose outcome the kill left unknown", async () => {
    const doubted = new Set<string>();
    const kills = stepsToKillAt(undisturbed.steps, { quick: 1, usual: 1 }).flatMap((at, nth) =>
      [false, true].filter((isBranch) => long || isBranch === (nth % 2 === 1)).map((isBranch) => ({ at, isBranch })),
    );
    const killNext = async (): Promise<void> => {
      for (let next = kills.shift(); next !== undefined; next = kills.shift()) {
        const { at, isBranch } = next;
        const played = await playParty([at], { isBranch });
        try {
          expectWhole(played);
          if (played.inDoubt.size === 0) expectSame(played, undisturbed);
          else expect(interruptionsOf(played.blocks)).toHaveLength(1);
        } catch (error) {
          const place = isBranch ? "on a branch" : "not on a branch";
          throw new Error(`killed at step ${at}, ${place}: ${undisturbed.steps[at]}`, { cause: error });
        }
        for (const toolId of played.inDoubt.values()) doubted.add(toolId);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, killNext));
    expect(doubted).toEqual(RISKY);
    expect(unhandled).toEqual([]);
  });

  it("survives several crashes in a row, wherever they happen", async () => {
    const kills = fc.array(fc.nat(undisturbed.steps.length), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(kills, fc.boolean(), async (at, isBranch) => {
        const played = await playParty(at, { isBranch });
        expectWhole(played);
        if (played.inDoubt.size === 0) expectSame(played, undisturbed);
      }),
      { numRuns: SEVERAL_DEATHS },
    );
    expect(unhandled).toEqual([]);
  });

  it("survives a real kill of its process", async () => {
    const alone = await playPartyInChildren([], { isBranch: true });
    expectWhole(alone);
    for (let nth = 0; nth < REAL_KILLS; nth++) {
      const at = Math.floor(((nth + 0.5) / REAL_KILLS) * alone.steps.length);
      const played = await playPartyInChildren([at], { isBranch: nth % 2 === 0 });
      expectWhole(played);
      expect(played.steps.length).toBeGreaterThan(at);
      if (played.inDoubt.size === 0) expectSame(played, alone);
    }
  });
});

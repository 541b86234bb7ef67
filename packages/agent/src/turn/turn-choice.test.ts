/** Tests the agent and the model that a message asks for. */
import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent, type TurnChoice } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { releaseTurn } from "./close/release-turn.ts";

const TS = "2026-02-09T10:00:00Z";
const ask = (choice: TurnChoice) =>
  makeEvent("input.received", { key: "i", mode: "turn", message: "Hi", attachments: [], ts: TS, ...choice });

describe("the agent that a message asks for", () => {
  it("runs its turn in every process that continues the turn, and no later turn", async () => {
    await using bench = await TurnBench.open();
    const asked: [string, TurnChoice][] = [];
    const agent = async (turnId: string, choice: TurnChoice) => {
      asked.push([turnId, choice]);
      return bench.agent;
    };
    const cut = new AbortController();
    bench.simulator.script([{ reply: { text: "Never shown." } }, { reply: { text: "Yes." }, times: 2 }]);
    await bench.append(ask({ agent: "other", model: "m" }));
    const listener = () => cut.abort();
    await expect(bench.run({ agent, signal: cut.signal, listener })).rejects.toThrow();
    expect((await bench.store.load(bench.key)).state.openTurn).not.toBeNull();
    await bench.run({ agent });
    await bench.say("And now?");
    await bench.run({ agent });
    const [first = ["", {}], again, later] = asked;
    expect(first[1]).toEqual({ agent: "other", model: "m" });
    expect(again).toEqual(first);
    expect(later?.[1]).toEqual({});
  });

  it("must exist, or the message stays waiting", async () => {
    await using bench = await TurnBench.open();
    await bench.append(ask({ agent: "gone" }));
    const agent = () => Promise.reject(new Error("no such agent"));
    await expect(bench.run({ agent })).rejects.toThrow("no such agent");
    const { state } = await bench.store.load(bench.key);
    expect([state.openTurn, state.attempts, [...state.pendingInputs.keys()]]).toEqual([null, null, ["i"]]);
    bench.simulator.script([{ reply: { text: "Yes." } }]);
    expect(await bench.run()).toMatchObject({ end: { text: "Yes." } });
  });

  it("is used again when an operator releases its turn from quarantine", async () => {
    await using bench = await TurnBench.open();
    await bench.append(ask({ model: "m" }));
    const attempt = (by: string) => makeEvent("turn.attempted", { turn_id: "turn_1", ts: TS, by });
    const lease = await bench.store.acquireLease(bench.key, "x", 1_000);
    const deaths = ["a", "b", "c"].map(attempt);
    await bench.store.append(bench.key, deaths, {
      lease: { token: lease.token, expectedSeq: lease.last_timeline_seq },
    });
    await bench.store.releaseLease(bench.key, lease.token);
    expect(await bench.run()).toMatchObject({ end: { exit: "quarantined" } });
    await releaseTurn(bench.store, bench.key, "turn_1", 0);
    const asked: TurnChoice[] = [];
    bench.simulator.script([{ reply: { text: "Yes." } }]);
    const agent = async (_: string, choice: TurnChoice) => {
      asked.push(choice);
      return bench.agent;
    };
    await bench.run({ agent });
    expect(asked).toEqual([{ model: "m" }]);
  });
});

import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import type { RunTurnOptions } from "../run-turn.ts";

const answer = { reply: { text: "All well." } };

async function kinds(bench: TurnBench): Promise<string[]> {
  const events = await bench.store.readEvents(bench.key, { limit: 1_000 });
  return events.map(({ event }) => event.kind);
}

/** An attempt whose process crashed: the journal has the beginning of the attempt and no later event. */
async function die(bench: TurnBench, turnId: string, by: string): Promise<void> {
  const { token } = await bench.store.acquireLease(bench.key, by, 60_000);
  const { timelineSeq } = await bench.store.load(bench.key);
  const attempt = makeEvent("turn.attempted", { turn_id: turnId, ts: "2026-02-09T10:00:00Z", by });
  await bench.store.append(bench.key, [attempt], { lease: { token, expectedSeq: timelineSeq } });
  await bench.store.releaseLease(bench.key, token);
}

describe("an attempt at a turn", () => {
  it("is recorded before it begins: with the batch that opens the turn, and before attachments are read", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([answer, answer]);
    await bench.turn("Hello");
    const first = await kinds(bench);
    expect(first.indexOf("turn.attempted")).toBe(first.lastIndexOf("turn.attempted"));
    expect(first.indexOf("turn.attempted")).toBeGreaterThan(first.indexOf("input.promoted"));
    expect(first.indexOf("turn.attempted")).toBeLessThan(first.indexOf("model.receipt"));
    await bench.attach("a.txt", "text/plain", "words");
    await bench.turn("Read this");
    const second = (await kinds(bench)).slice(first.length);
    expect(second.indexOf("turn.attempted")).toBeLessThan(second.indexOf("turn.opened"));
    expect(second.lastIndexOf("turn.attempted")).toBeGreaterThan(second.indexOf("turn.opened"));
  });

  it("an attempt at a turn that ends because its process was asked to stop does not count as a crash", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([answer]);
    await bench.say("Hello");
    for (let life = 1; life <= 5; life++) {
      const stop = new AbortController();
      const listener: RunTurnOptions["listener"] = () => stop.abort(new Error("the server stops"));
      await expect(bench.run({ signal: stop.signal, listener })).rejects.toThrow();
    }
    expect(await kinds(bench)).toContain("turn.suspended");
    expect(await bench.run()).toMatchObject({ status: "ended", end: { exit: "complete" } });
  });

  it("an attempt at a turn that a process retries does not count as a crash", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([answer]);
    await bench.say("Hello");
    for (let life = 1; life <= 5; life++) await die(bench, "turn_1", "same");
    expect(await bench.run({ life: "same" })).toMatchObject({ end: { exit: "complete" } });
  });

  it("no longer counts once the turn has made progress", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([answer]);
    await bench.say("Hello");
    await die(bench, "turn_1", "a");
    await die(bench, "turn_1", "b");
    const { token } = await bench.store.acquireLease(bench.key, "c", 60_000);
    const { timelineSeq } = await bench.store.load(bench.key);
    const lease = { token, expectedSeq: timelineSeq };
    await bench.store.append(bench.key, [makeEvent("meta.set", { conversation_title: "New" })], { lease });
    await bench.store.releaseLease(bench.key, token);
    await die(bench, "turn_1", "d");
    expect(await bench.run()).toMatchObject({ end: { exit: "complete" } });
  });
});

describe("a turn during which three processes crashed", () => {
  it("is closed as failed, its content is not sent to any model, and the conversation continues", async () => {
    await using bench = await TurnBench.open();
    bench.simulator.script([answer]);
    await bench.attach("bomb.pdf", "application/pdf", "%PDF-1.4 poison");
    await bench.say("Read my poison");
    for (const by of ["a", "b", "c"]) await die(bench, "turn_1", by);
    const outcome = await bench.run();
    expect(outcome).toMatchObject({ end: { exit: "quarantined", error: { code: "quarantined" } } });
    expect(await kinds(bench)).toContain("turn.closed");
    // The message can still be read by its path, and the file of the message still exists.
    const { state } = await bench.store.load(bench.key);
    expect(state.openTurn).toBeNull();
    expect(state.pendingInputs.size).toBe(0);
    expect((await bench.blocks()).map(({ text = "" }) => text).join("\n")).toContain("Read my poison");
    expect(await bench.turn("And now?")).toMatchObject({ end: { exit: "complete" } });
    const sent = JSON.stringify(bench.simulator.requests.at(-1));
    expect(sent).not.toContain("my poison");
    expect(sent).toContain("QUARANTINED");
  });

  it("leaves no call without an outcome", async () => {
    await using bench = await TurnBench.open();
    await bench.say("Plan");
    const { token } = await bench.store.acquireLease(bench.key, "x", 60_000);
    const ts = "2026-02-09T10:00:00Z";
    const events = [
      makeEvent("turn.opened", { turn_id: "turn_x", ts }),
      makeEvent("call.started", { turn_id: "turn_x", call_id: "tc_1", tool_id: "react.plan", ts }),
    ];
    await bench.store.append(bench.key, events, { lease: { token, expectedSeq: 0 } });
    await bench.store.releaseLease(bench.key, token);
    for (const by of ["a", "b", "c"]) await die(bench, "turn_x", by);
    await bench.run();
    const { state } = await bench.store.load(bench.key);
    expect([...state.unsettled.keys()]).toEqual([]);
  });

  it("has the same count after a snapshot, and a journal without the event counts none", async () => {
    await using bench = await TurnBench.open();
    await bench.say("Hello");
    for (const by of ["a", "b"]) await die(bench, "turn_1", by);
    const { state } = await bench.store.load(bench.key);
    expect(state.attempts).toEqual({ turn_id: "turn_1", by: ["a", "b"] });
    const events = await bench.store.readEvents(bench.key, { limit: 100 });
    expect(events.every(({ event }) => !("unknown" in event))).toBe(true);
  });
});

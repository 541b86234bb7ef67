/** Tests how long a turn waits for a provider that is overloaded or unreachable. */
import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent } from "@cairn/timeline";
import { expect, it } from "vitest";

const waits = (bench: TurnBench) => bench.signals.flatMap((signal) => (signal.type === "waiting" ? [signal.ms] : []));

it("an overload of minutes is retried, and each wait is announced with its length", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { fault: "overloaded" }, times: 12 }, { reply: { text: "Back." } }]);
  expect(await bench.turn("Hello")).toMatchObject({ end: { exit: "complete", text: "Back." } });
  expect(waits(bench)).toHaveLength(12);
  expect(waits(bench).reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(180_000);
});

it("an overload that does not end fails after ten minutes", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { fault: "overloaded" }, times: Number.POSITIVE_INFINITY }]);
  expect(await bench.turn("Hello")).toMatchObject({ end: { exit: "error" } });
  const sum = waits(bench).reduce((total, ms) => total + ms, 0);
  expect(sum).toBeGreaterThan(500_000);
  expect(sum).toBeLessThanOrEqual(600_000);
});

it("a wait that a provider asks for is kept, and never exceeds ten minutes", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { fault: "rate_limited", retryAfter: 400 } }, { reply: { text: "Back." } }]);
  expect(await bench.turn("Hello")).toMatchObject({ end: { exit: "complete" } });
  expect(waits(bench)).toEqual([420_000]);
  bench.simulator.script([{ reply: { fault: "rate_limited", retryAfter: 601 } }]);
  expect(await bench.turn("And now?")).toMatchObject({ end: { exit: "error" } });
});

it("a provider that asks for no wait is still not retried without a pause", async () => {
  await using bench = await TurnBench.open();
  const fault = { fault: "overloaded", retryAfter: 0 } as const;
  bench.simulator.script([{ reply: fault, times: 40 }, { reply: { text: "Back." } }]);
  expect(await bench.turn("Hello")).toMatchObject({ end: { exit: "error" } });
  expect(Math.min(...waits(bench))).toBeGreaterThanOrEqual(500);
  expect(waits(bench).reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(500_000);
});

it("answers that break off are billed, so there are only five attempts", async () => {
  await using bench = await TurnBench.open();
  const reply = { text: "Once upon a time", interrupt: { after: 1, by: "cut" as const } };
  bench.simulator.script([{ reply, times: Number.POSITIVE_INFINITY }]);
  expect(await bench.turn("A story")).toMatchObject({ end: { exit: "error" } });
  expect(bench.simulator.requests).toHaveLength(5);
});

it("a cancellation ends the wait", async () => {
  await using bench = await TurnBench.open();
  bench.simulator.script([{ reply: { fault: "overloaded" }, times: Number.POSITIVE_INFINITY }]);
  const sleep = async (_: number, signal: AbortSignal) => {
    await bench.append(makeEvent("cancel.requested", { key: "stop", ts: "2026-02-09T10:00:00Z" }));
    if (!signal.aborted) await new Promise((_, reject) => signal.addEventListener("abort", reject, { once: true }));
    signal.throwIfAborted();
  };
  await bench.say("Hello");
  expect(await bench.run({ sleep })).toMatchObject({ end: { exit: "cancelled" } });
  expect(bench.simulator.requests).toHaveLength(1);
});

import { expect, it } from "vitest";
import { thisMachine } from "./machine.ts";

it("ids have the documented form and are unique", () => {
  const { ids, now } = thisMachine();
  const turns = Array.from({ length: 500 }, () => ids.turn());
  const calls = Array.from({ length: 500 }, () => ids.call());
  for (const turn of turns) expect(turn).toMatch(/^turn_\d{13}_[0-9a-z]{6}$/);
  for (const call of calls) expect(call).toMatch(/^tc_[0-9a-f]{12}$/);
  expect(new Set(calls).size).toBe(500);
  expect(Math.abs(now() - Number(turns[0]?.split("_")[1]))).toBeLessThan(60_000);
});

it("a sleep ends at once when its signal aborts", async () => {
  const stop = new AbortController();
  const sleeping = thisMachine().sleep(3_600_000, stop.signal);
  stop.abort();
  await expect(sleeping).rejects.toThrow();
});

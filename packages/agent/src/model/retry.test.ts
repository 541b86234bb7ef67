import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { waitBefore } from "./retry.ts";

const MAX_ASKED_MS = 600_000;
const half = { random: () => 0.5 };
const chances = fc.double({ min: 0, max: 0.999, noNaN: true });
const attempts = fc.integer({ min: 1, max: 60 });

it("the waits between retries grow", () => {
  const waits = [1, 2, 3, 9].map((attempt) => waitBefore(attempt, { retryAfterMs: null }, half));
  expect(waits).toEqual([750, 1_500, 3_000, 45_000]);
});

it("a wait that a provider asks for is kept, plus up to a tenth, and never exceeds ten minutes", () => {
  expect(waitBefore(1, { retryAfterMs: 7_000 }, { random: () => 0 })).toBe(7_000);
  expect(waitBefore(1, { retryAfterMs: 7_000 }, half)).toBe(7_350);
  expect(waitBefore(1, { retryAfterMs: MAX_ASKED_MS + 1 }, half)).toBeNull();
});

it("a very short wait that a provider asks for is ignored", () => {
  for (const retryAfterMs of [0, 20])
    expect([1, 2, 3].map((attempt) => waitBefore(attempt, { retryAfterMs }, half))).toEqual([750, 1_500, 3_000]);
});

it("a wait is never longer than the maximum, shorter than half its step, or shorter than the requested time", () => {
  fc.assert(
    fc.property(attempts, chances, fc.option(fc.nat({ max: MAX_ASKED_MS })), (attempt, chance, retryAfterMs) => {
      const wait = waitBefore(attempt, { retryAfterMs }, { random: () => chance }) ?? 0;
      const step = Math.min(60_000, 1_000 * 2 ** (attempt - 1));
      expect(wait).toBeGreaterThanOrEqual(retryAfterMs ?? 0);
      expect(wait).toBeGreaterThanOrEqual(Math.min(step / 2, retryAfterMs ?? step));
      expect(wait).toBeGreaterThanOrEqual(500);
      expect(wait).toBeLessThanOrEqual(Math.max(step, (retryAfterMs ?? 0) * 1.1 + 1));
    }),
    { numRuns: runs },
  );
});

import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, it } from "vitest";
import { ModelError } from "./model-error.ts";
import { type RetryOptions, waitBefore, withRetry } from "./retry.ts";

const busy = (wait: number | null = null) => new ModelError("transient", "busy", wait);

function harness(options: Partial<RetryOptions> = {}) {
  const waits: number[] = [];
  const given: RetryOptions = {
    signal: new AbortController().signal,
    sleep: async (ms) => void waits.push(ms),
    random: () => 0.5,
    ...options,
  };
  return { waits, given };
}

function failing(times: number, error: unknown) {
  let calls = 0;
  const run = async () => {
    if (calls++ < times) throw error;
    return calls;
  };
  return { run, calls: () => calls };
}

it("tries again with growing waits and gives what comes at last", async () => {
  const { waits, given } = harness();
  expect(await withRetry(failing(3, busy()).run, given)).toBe(4);
  expect(waits).toEqual([750, 1_500, 3_000]);
});

it("gives up with the last error", async () => {
  const { waits, given } = harness({ attempts: 3 });
  const error = busy();
  const { run, calls } = failing(9, error);
  await expect(withRetry(run, given)).rejects.toBe(error);
  expect([calls(), waits.length]).toEqual([3, 2]);
});

it("waits as long as the provider asks, and not for one that asks for too long", async () => {
  const { waits, given } = harness({ random: () => 0 });
  await withRetry(failing(1, busy(7_000)).run, given);
  expect(waits).toEqual([7_000]);
  await expect(withRetry(failing(1, busy(3_600_000)).run, given)).rejects.toThrow("busy");
});

it("asks only once when trying again does not help", async () => {
  const { given } = harness();
  for (const error of [new ModelError("fatal", "no"), new ModelError("context_limit", "long"), new Error("bug")]) {
    const { run, calls } = failing(9, error);
    await expect(withRetry(run, given)).rejects.toBe(error);
    expect(calls()).toBe(1);
  }
});

it("an abort ends the wait and the trying", async () => {
  const controller = new AbortController();
  const sleep = async (_: number, signal: AbortSignal) => {
    controller.abort(new Error("cancelled"));
    signal.throwIfAborted();
  };
  const { run, calls } = failing(9, busy());
  await expect(withRetry(run, harness({ signal: controller.signal, sleep }).given)).rejects.toThrow("cancelled");
  expect(calls()).toBe(1);
});

it("a wait is never longer than the longest, nor shorter than half its step, nor than what was asked for", () => {
  const asked = fc.option(fc.nat({ max: 600_000 }));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      asked,
      (n, chance, ms) => {
        const wait = waitBefore(n, { retryAfterMs: ms }, { random: () => chance }) ?? 0;
        if (ms === null) {
          const step = Math.min(60_000, 1_000 * 2 ** (n - 1));
          expect(wait).toBeGreaterThanOrEqual(step / 2);
          expect(wait).toBeLessThanOrEqual(step);
        } else expect(wait).toBeGreaterThanOrEqual(ms);
      },
    ),
    { numRuns: runs },
  );
});

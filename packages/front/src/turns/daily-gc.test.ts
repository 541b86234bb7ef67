import { expect, it, vi } from "vitest";
import { createLog } from "../telemetry/log.ts";
import { DailyGc } from "./daily-gc.ts";

it("runs every day, also after a failure, until it is stopped", async () => {
  const lines: string[] = [];
  const log = createLog({ write: (line: string) => lines.push(line) > 0 }, Date.now, "info", (text) => text);
  let runs = 0;
  const store = {
    gc: async () => {
      if (++runs === 1) throw new Error("no room");
      return { blobs: runs, bytes: 0, references: 0, leftovers: 0 };
    },
    conversations: async function* () {},
  };
  const daily = new DailyGc({ store, dataDir: "nowhere", log, everyMs: 1 });
  await expect.poll(() => runs).toBeGreaterThan(2);
  await daily[Symbol.asyncDispose]();
  const after = runs;
  expect(lines.join("")).toContain("no room");
  await new Promise((resolve) => setImmediate(resolve));
  expect(runs).toBe(after);
});

it("runs soon after the start, so that a process that restarts every day collects too", async () => {
  vi.useFakeTimers();
  try {
    let runs = 0;
    const gc = async () => ({ blobs: ++runs, bytes: 0, references: 0, leftovers: 0 });
    const store = { gc, conversations: async function* () {} };
    const log = createLog({ write: () => true }, Date.now, "info", (text) => text);
    await using _daily = new DailyGc({ store, dataDir: "nowhere", log });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(23 * 3_600_000);
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    // Waits for the first run, which reads a real folder while the simulated time stands still.
    await expect.poll(() => runs).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

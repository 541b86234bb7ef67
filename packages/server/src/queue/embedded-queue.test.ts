/** What the queue of one process does with a conversation whose turns cannot be run. */
import { CairnError } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EmbeddedTurnQueue } from "./embedded-queue.ts";

const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue whose runner fails so until it is told otherwise, and how often it was tried. */
function failing(code: string) {
  const state = { tries: 0, isBroken: true };
  const queue = new EmbeddedTurnQueue({ concurrency: 1, most: 10, log, unfinished: async function* () {} });
  queue.start(async () => {
    state.tries++;
    if (state.isBroken) throw new CairnError(code, "No.");
    return "idle";
  });
  return { queue, state };
}

describe("a conversation whose turn cannot be run", () => {
  it.each(["full", "busy", "io"])("is tried again for as long as the store is in trouble (%s)", async (code) => {
    const { queue, state } = failing(code);
    await queue.offer(key);
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(state.tries).toBeGreaterThan(100);
    expect((await queue.standing(key)).status).toBe("queued");
    state.isBroken = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await queue.standing(key)).status).toBe("idle");
    await queue.drain(0);
  });

  it("is left alone after ten failures of another kind, until something happens to it", async () => {
    const { queue, state } = failing("bad_model");
    await queue.offer(key);
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(state.tries).toBe(10);
    state.isBroken = false;
    await queue.offer(key);
    await vi.advanceTimersByTimeAsync(0);
    expect([state.tries, (await queue.standing(key)).status]).toEqual([11, "idle"]);
    await queue.drain(0);
  });
});

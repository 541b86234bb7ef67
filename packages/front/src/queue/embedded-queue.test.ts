/** Tests what the queue of one process does with a conversation whose turns cannot be run. */
import { WHOLE } from "@cairn/agent";
import { CairnError } from "@cairn/timeline";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EmbeddedTurnQueue } from "./embedded-queue.ts";

const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const limits = { user: 10, tenant: 10, total: 10 };
const HOUR = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue whose runs fail until the test lets them succeed, and the number of attempts. */
function failing(code: string) {
  const state = { tries: 0, isBroken: true };
  const queue = new EmbeddedTurnQueue({
    concurrency: 1,
    shares: WHOLE,
    limits,
    log,
    unfinished: async function* () {},
    isAsking: async () => true,
  });
  queue.start(async () => {
    state.tries++;
    if (state.isBroken) throw new CairnError(code, "No.");
    return "idle";
  });
  return { queue, state };
}

describe("a conversation whose turn cannot be run", () => {
  it.each(["full", "busy", "io"])("is tried again as long as the store fails (%s)", async (code) => {
    const { queue, state } = failing(code);
    await queue.offer(key);
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(state.tries).toBeGreaterThan(100);
    expect((await queue.status(key)).status).toBe("queued");
    state.isBroken = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await queue.status(key)).status).toBe("idle");
    await queue.drain(0);
  });

  it("is not tried again after ten failures of another kind, until the conversation changes", async () => {
    const { queue, state } = failing("bad_model");
    await queue.offer(key);
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(state.tries).toBe(10);
    state.isBroken = false;
    await queue.offer(key);
    await vi.advanceTimersByTimeAsync(0);
    expect([state.tries, (await queue.status(key)).status]).toEqual([11, "idle"]);
    await queue.drain(0);
  });
});

describe("a conversation that waits for an approval", () => {
  it("continues when another process accepted the approval before the first sweep", async () => {
    let runs = 0;
    let isAsking = true;
    const queue = new EmbeddedTurnQueue({
      concurrency: 1,
      shares: WHOLE,
      limits,
      log,
      unfinished: async function* () {
        if (runs < 2) yield { key, last_seq: 7, held_ms: 0 };
      },
      isAsking: async () => isAsking,
    });
    queue.start(async () => {
      isAsking = false;
      return ++runs === 1 ? "waiting" : "idle";
    });
    await queue.offer(key);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs).toBe(2);
    await queue.drain(0);
  });
});

describe("tenants and users", () => {
  const keyOf = (tenant: string, nth: number, user = "u") => ({
    tenant,
    project: "p",
    user,
    conversation: `${tenant} ${user} ${nth}`,
  });
  const many = { user: 300, tenant: 300, total: Infinity };

  /** A queue whose turns run until the test releases them, and the conversations whose turns began, in order. */
  function holding(options: { concurrency: number; shares?: typeof WHOLE; limits?: typeof many }) {
    const began: string[] = [];
    const open: (() => void)[] = [];
    const queue = new EmbeddedTurnQueue({
      shares: WHOLE,
      limits: many,
      log,
      unfinished: async function* () {},
      isAsking: async () => true,
      ...options,
    });
    queue.start(({ conversation }) => {
      began.push(conversation);
      const turn = Promise.withResolvers<"idle">();
      open.push(() => turn.resolve("idle"));
      return turn.promise;
    });
    const release = async () => {
      open.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
    };
    const offer = async (key: ReturnType<typeof keyOf>) => {
      await queue.offer(key);
      await vi.advanceTimersByTimeAsync(0);
    };
    return { queue, began, offer, release };
  }

  it("are served in turn: a tenant's first message waits for one turn of a tenant that sent 208", async () => {
    const { queue, began, offer, release } = holding({ concurrency: 1 });
    for (let nth = 0; nth < 208; nth++) await offer(keyOf("hostile", nth));
    const mine = keyOf("polite", 0);
    await offer(mine);
    expect(await queue.status(mine)).toEqual({ status: "queued", position: 1 });
    await release();
    await release();
    expect(began).toEqual(["hostile u 0", "hostile u 1", "polite u 0"]);
  });

  it("have places of their own: one user's 208 messages are refused before another's first is", async () => {
    const { queue, offer } = holding({ concurrency: 1, limits: { user: 50, tenant: 60, total: Infinity } });
    let taken = 0;
    let refusal: unknown;
    for (let nth = 0; nth < 208; nth++)
      await queue.admit(keyOf("hostile", nth)).then(
        async () => {
          taken++;
          await offer(keyOf("hostile", nth));
        },
        (error: unknown) => {
          refusal = error;
        },
      );
    // Only one of the two conversations runs.
    expect(taken).toBe(51);
    expect(refusal).toMatchObject({
      code: "queue_full",
      message: expect.stringContaining("One user may have 50 conversations that wait"),
      details: { limit: "queue", of: "user", allowed: 50, held: 50, retry_after: 2 },
    });
    await queue.admit(keyOf("hostile", 0));
    await queue.admit(keyOf("hostile", 0, "colleague"));
    await queue.admit(keyOf("polite", 0));
  });

  it("hold no more than their share of the places, even with long turns", async () => {
    const { began, offer } = holding({ concurrency: 4, shares: { user: 50, tenant: 75 } });
    for (let nth = 0; nth < 8; nth++) await offer(keyOf("hostile", nth));
    for (let nth = 0; nth < 8; nth++) await offer(keyOf("hostile", nth, "v"));
    await offer(keyOf("polite", 0));
    expect(began).toEqual(["hostile u 0", "hostile u 1", "hostile v 0", "polite u 0"]);
  });

  it("find room in a process that sweeps the store, even if another tenant has many unfinished conversations", async () => {
    const began: string[] = [];
    const unfinished = [...Array.from({ length: 100 }, (_, nth) => keyOf("hostile", nth)), keyOf("polite", 0)];
    const queue = new EmbeddedTurnQueue({
      concurrency: 4,
      shares: { user: 50, tenant: 75 },
      limits: many,
      log,
      unfinished: async function* () {
        for (const key of unfinished) yield { key, last_seq: 1, held_ms: 0 };
      },
      isAsking: async () => true,
    });
    queue.start(async ({ conversation }) => {
      began.push(conversation);
      return new Promise(() => undefined);
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(began).toContain("polite u 0");
    expect(began).toHaveLength(3);
  });
});

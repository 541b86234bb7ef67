import { setImmediate as soon } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Processor } from "./processor.ts";

const scope = (tenant: string, user = "u") => ({ tenant, project: "p", user });
const [hostile, polite] = [scope("hostile"), scope("polite")];

/**
 * The shares are a tenth of the time for a user and a fifth for a tenant. The clock of the test advances by the length
 * of each step.
 */
function shared() {
  const clock = { now: 0 };
  const processor = new Processor({ user: 0.1, tenant: 0.2 }, () => clock.now);
  const taken: string[] = [];
  const step = async (owner: typeof hostile, ms: number, name = owner.tenant) => {
    await processor.enter(owner);
    taken.push(name);
    clock.now += ms;
  };
  /** Waits until every step that is allowed to run has run. */
  const settle = async () => {
    for (let nth = 0; nth < 100; nth++) await soon();
  };
  return { clock, processor, taken, step, settle };
}

describe("the time of the process", () => {
  it("is not limited while one tenant uses it", async () => {
    const { step, taken } = shared();
    for (let nth = 0; nth < 20; nth++) await step(hostile, 10_000);
    expect(taken).toHaveLength(20);
  });

  it("is kept from a user who has used up its share while another tenant goes on", async () => {
    const { clock, processor, step, taken, settle } = shared();
    const count = () => taken.filter((name) => name === "hostile").length;
    await step(polite, 1);
    for (let nth = 0; nth < 3; nth++) await step(hostile, 500);
    const last = step(hostile, 500);
    await settle();
    // The steps of one second may run at once, plus the step that exceeds the second.
    expect(count()).toBe(3);
    for (let nth = 0; nth < 20; nth++) await step(polite, 1);
    expect(count()).toBe(3);
    clock.now += 10_000;
    await last;
    processor[Symbol.dispose]();
  });

  it("counts eight times for a user who has many steps waiting", async () => {
    const { clock, processor, step, taken, settle } = shared();
    await step(polite, 1);
    const waiting = Array.from({ length: 20 }, () => step(hostile, 100));
    await settle();
    // Two steps of 100 ms count eightfold, which is more than a second.
    expect(taken.filter((name) => name === "hostile")).toHaveLength(2);
    // The debt is 584 ms above the limit, because the first millisecond of each step is free. The share pays for a
    // tenth of the time, and the second step already paid for 100 ms.
    clock.now += 5_700;
    await settle();
    expect(taken.filter((name) => name === "hostile")).toHaveLength(2);
    clock.now += 200;
    await expect.poll(() => taken.filter((name) => name === "hostile")).toHaveLength(3);
    processor[Symbol.dispose]();
    await Promise.all(waiting);
  });

  it("does not count for any number of steps of a millisecond", async () => {
    const { processor, step, taken } = shared();
    await step(polite, 1);
    await Promise.all(Array.from({ length: 3_000 }, () => step(hostile, 1)));
    expect(taken).toHaveLength(3_001);
    processor[Symbol.dispose]();
  });

  it("is kept from a user who used more, for as long as a tenant that used less is at work", async () => {
    const { clock, processor, step, taken, settle } = shared();
    await step(polite, 20);
    await step(hostile, 200);
    await step(polite, 20);
    const next = step(hostile, 1, "next");
    // Between its steps, the polite tenant's turn waits for the disk.
    for (let nth = 0; nth < 10; nth++) {
      await settle();
      clock.now += 25;
      // The tenant also counts as active after the end of a long step.
      await step(polite, nth === 5 ? 40 : 1);
    }
    expect(taken).not.toContain("next");
    // The tenant is not active any more. The hostile user still has a debt, but of less than a second.
    await settle();
    clock.now += 30;
    await next;
    processor[Symbol.dispose]();
  });

  it("goes on to a user who used little, also while a tenant that used less is at work", async () => {
    const { processor, step, taken } = shared();
    await step(polite, 1);
    await step(hostile, 90);
    await step(polite, 1);
    await step(hostile, 1, "next");
    expect(taken).toContain("next");
    processor[Symbol.dispose]();
  });

  it("is kept from the users of a tenant that together have used up the tenant's share", async () => {
    const { processor, step, taken, settle } = shared();
    await step(polite, 1);
    const waiting = Array.from({ length: 20 }, (_, nth) => step(scope("hostile", `u${nth}`), 500));
    await settle();
    expect(taken.filter((name) => name === "hostile")).toHaveLength(3);
    processor[Symbol.dispose]();
    await Promise.all(waiting);
  });

  it("goes to tenants in turn, even if one of them has many waiting steps", async () => {
    const { step, taken } = shared();
    await step(polite, 0);
    const steps = [...Array.from({ length: 50 }, () => step(hostile, 1)), step(polite, 1), step(polite, 1)];
    await Promise.all(steps);
    expect(taken.slice(1, 5)).toEqual(["hostile", "polite", "hostile", "polite"]);
  });

  it("is not kept from anybody for longer than ten seconds by one step", async () => {
    const { clock, step, taken, settle } = shared();
    await step(polite, 1);
    await step(hostile, 3_600_000);
    await step(polite, 1);
    const next = step(hostile, 1, "next");
    await settle();
    expect(taken).not.toContain("next");
    clock.now += 10_001;
    await next;
  });
});

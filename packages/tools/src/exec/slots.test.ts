import { expect, it } from "vitest";
import { Slots } from "./slots.ts";

const never = new AbortController().signal;
const owner = { tenant: "t", project: "p", user: "u" };

it("at most as many programs run as there are slots, and waiting programs run in order", async () => {
  const slots = new Slots(2);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  const work = (n: number) => async () => {
    most = Math.max(most, ++running);
    order.push(n);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
    if (n === 1) throw new Error("a failure gives its slot back");
  };
  const all = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => slots.run(owner, work(n), never)));
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect({ order, most }).toEqual({ order: [0, 1, 2, 3, 4], most: 2 });
});

it("a caller that cancels while waiting gives up only its own place", async () => {
  const slots = new Slots(1);
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = slots.run(owner, () => promise, never);
  const stop = new AbortController();
  const second = slots.run(owner, async () => "second", stop.signal);
  const third = slots.run(owner, async () => "third", never);
  stop.abort(new Error("given up"));
  await expect(second).rejects.toThrow("given up");
  resolve("first");
  expect(await Promise.all([first, third])).toEqual(["first", "third"]);
});

it("a caller that cancels just as its slot becomes free takes no slot", async () => {
  for (let moments = 0; moments < 12; moments++) {
    const slots = new Slots(1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = slots.run(owner, () => promise, never);
    const stop = new AbortController();
    const second = slots.run(owner, async () => "second", stop.signal).catch(() => "given up");
    const third = slots.run(owner, async () => "third", never);
    resolve("first");
    for (let moment = 0; moment < moments; moment++) await null;
    stop.abort(new Error("given up"));
    expect(await Promise.all([first, third])).toEqual(["first", "third"]);
    expect(["second", "given up"]).toContain(await second);
  }
});

it("sleeping programs of one user leave a slot for others, and the next slot goes to the user with the fewest", async () => {
  const slots = new Slots(4, { user: 50, tenant: 75 });
  const sleeping = Promise.withResolvers<void>();
  const ran: string[] = [];
  const run = (tenant: string, user: string) =>
    slots.run({ tenant, project: "p", user }, async () => void ran.push(`${tenant}.${user}`), never);
  const sleep = (tenant: string, user: string) =>
    slots.run(
      { tenant, project: "p", user },
      async () => {
        ran.push(`${tenant}.${user}`);
        await sleeping.promise;
      },
      never,
    );
  const hostile = [1, 2, 3, 4, 5, 6, 7, 8].map(() => sleep("hostile", "u"));
  await run("hostile", "colleague");
  await run("polite", "u");
  expect(ran).toEqual(["hostile.u", "hostile.u", "hostile.colleague", "polite.u"]);
  const others = [1, 2, 3].map(() => sleep("hostile", "v"));
  await run("polite", "u");
  expect(ran.slice(4)).toEqual(["hostile.v", "polite.u"]);
  sleeping.resolve();
  await Promise.all([...hostile, ...others]);
});

it("a tenant's program waits for at most one program of each other tenant, however many those have waiting", async () => {
  const slots = new Slots(1);
  const first = Promise.withResolvers<void>();
  const ran: string[] = [];
  const run = (tenant: string) => slots.run({ ...owner, tenant }, async () => void ran.push(tenant), never);
  const busy = slots.run({ ...owner, tenant: "hostile" }, () => first.promise, never);
  const all = [...Array.from({ length: 50 }, () => run("hostile")), run("polite")];
  first.resolve();
  await Promise.all([busy, ...all]);
  expect(ran.indexOf("polite")).toBeLessThanOrEqual(1);
});

import { expect, it } from "vitest";
import { Slots } from "./slots.ts";

const never = new AbortController().signal;

it("no more run at a time than there are slots, and those that wait run in the order they came", async () => {
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
  const all = await Promise.allSettled([0, 1, 2, 3, 4].map((n) => slots.run(work(n), never)));
  expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled", "fulfilled"]);
  expect({ order, most }).toEqual({ order: [0, 1, 2, 3, 4], most: 2 });
});

it("whoever gives up while waiting gives up its place only", async () => {
  const slots = new Slots(1);
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = slots.run(() => promise, never);
  const stop = new AbortController();
  const second = slots.run(async () => "second", stop.signal);
  const third = slots.run(async () => "third", never);
  stop.abort(new Error("given up"));
  await expect(second).rejects.toThrow("given up");
  resolve("first");
  expect(await Promise.all([first, third])).toEqual(["first", "third"]);
});

it("whoever gives up just as it is its turn takes nobody's place", async () => {
  for (let moments = 0; moments < 12; moments++) {
    const slots = new Slots(1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = slots.run(() => promise, never);
    const stop = new AbortController();
    const second = slots.run(async () => "second", stop.signal).catch(() => "given up");
    const third = slots.run(async () => "third", never);
    resolve("first");
    for (let moment = 0; moment < moments; moment++) await null;
    stop.abort(new Error("given up"));
    expect(await Promise.all([first, third])).toEqual(["first", "third"]);
    expect(["second", "given up"]).toContain(await second);
  }
});

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { ViewRoom } from "./view-room.ts";

const FREE = 1_000_000;
const ada = { tenant: "t", project: "p", user: "ada" };
const never = new AbortController().signal;
const userOf = (tenant: number, nth: number) => ({ tenant: `t${tenant}`, project: "p", user: `u${nth}` });

it("many answers for many users never hold more than the room of all, of a tenant and of a user, and all are made", async () => {
  const room = new ViewRoom({ user: 20, tenant: 30, total: 50 });
  const held = new Map<string, number>();
  const most = new Map<string, number>();
  const add = (name: string, chars: number) => {
    held.set(name, (held.get(name) ?? 0) + chars);
    most.set(name, Math.max(most.get(name) ?? 0, held.get(name) ?? 0));
  };
  let made = 0;
  const make = async (nth: number) => {
    const owner = userOf(nth % 3, nth % 7);
    const chars = 1 + ((nth * 7) % 40);
    const leave = await room.enter(owner, FREE + chars, never);
    const names = ["all", owner.tenant, `${owner.tenant} ${owner.user}`];
    for (const name of names) add(name, Math.min(chars, 20));
    for (let turn = 0; turn < nth % 4; turn++) await nextTurn();
    for (const name of names) add(name, -Math.min(chars, 20));
    made++;
    leave();
  };
  await Promise.all(Array.from({ length: 300 }, (_, nth) => make(nth)));
  expect(made).toBe(300);
  for (const [name, chars] of most)
    expect(chars).toBeLessThanOrEqual(name === "all" ? 50 : name.includes(" ") ? 20 : 30);
  expect(most.get("all")).toBeGreaterThan(40);
});

it("a client that leaves while it waits takes no room, and those behind it go on", async () => {
  const room = new ViewRoom({ user: 20, tenant: 20, total: 20 });
  const first = await room.enter(ada, FREE + 20, never);
  const client = new AbortController();
  const left = expect(room.enter(ada, FREE + 20, client.signal)).rejects.toThrow("gone");
  const third = room.enter(ada, FREE + 20, never);
  client.abort(new Error("gone"));
  await left;
  first();
  (await third)();
});

it("a small conversation never waits", async () => {
  const room = new ViewRoom({ user: 20, tenant: 20, total: 20 });
  await room.enter(ada, FREE + 100, never);
  await room.enter(ada, FREE, never);
});

it("a request overtakes the first that waits for the total only if both have room at the same time", async () => {
  const room = new ViewRoom({ user: 20, tenant: 30, total: 50 });
  const entered: string[] = [];
  const enter = async (name: string, owner: Parameters<typeof room.enter>[0], chars: number) => {
    const leave = await room.enter(owner, FREE + chars, never);
    entered.push(name);
    return leave;
  };
  const [first, second] = [await enter("first", userOf(1, 1), 20), await enter("second", userOf(2, 2), 20)];
  const large = enter("large", userOf(3, 3), 20);
  const leaveSmall = await enter("small", userOf(4, 4), 10);
  leaveSmall();
  leaveSmall();
  const again = await enter("small again", userOf(4, 4), 10);
  first();
  const rest = [await large, second, again];
  const late = enter("behind", userOf(5, 5), 15);
  for (const leave of rest) leave();
  (await late)();
  expect(entered).toEqual(["first", "second", "small", "small again", "large", "behind"]);
});

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { ViewPlaces } from "./view-places.ts";

const ada = { tenant: "t", project: "p", user: "ada" };
const bob = { ...ada, user: "bob" };

it("two views of a user are made at once, the others wait, and other users do not", async () => {
  const places = new ViewPlaces();
  const done: string[] = [];
  const going = new Map<string, () => void>();
  const use = (name: string, owner = ada) =>
    places.use(owner, () => new Promise<void>((resolve) => going.set(name, resolve))).then(() => void done.push(name));
  const all = [use("a"), use("b"), use("c"), use("d"), use("other", bob)];
  await nextTurn();
  expect([...going.keys()]).toEqual(["a", "b", "other"]);
  for (const name of ["b", "a", "c", "d", "other"]) {
    going.get(name)?.();
    await nextTurn();
  }
  await Promise.all(all);
  expect(done).toEqual(["b", "a", "c", "d", "other"]);
});

it("a view that fails frees its place", async () => {
  const places = new ViewPlaces();
  const failing = () => places.use(ada, () => Promise.reject(new Error("no")));
  await Promise.allSettled([failing(), failing(), failing()]);
  expect(await places.use(ada, async () => "made")).toBe("made");
});

import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { WriteRoom } from "./write-room.ts";

const ada = { tenant: "t", project: "p", user: "ada" };
const limits = { user: 1_000, tenant: 1_500, total: Infinity };

function roomOf(options: Partial<ConstructorParameters<typeof WriteRoom>[0]> = {}) {
  const state = { now: 0, stored: { user: 0, tenant: 0 }, counted: 0 };
  const storedBytes = async () => {
    state.counted++;
    return state.stored;
  };
  const room = new WriteRoom({
    store: { storedBytes },
    limits,
    folder: tmpdir(),
    reserveMb: 0,
    isLocal: true,
    now: () => state.now,
    ...options,
  });
  const check = (bytes = 0) => room.check(ada, bytes).catch((error: unknown) => error);
  return { room, state, check };
}

it("a message that would exceed the storage of a user or tenant is refused, with the limit and what to do", async () => {
  const { state, check } = roomOf();
  expect(await check(999)).toBeUndefined();
  expect(await check(1_001)).toMatchObject({
    code: "storage_full",
    message: "One user may have 1000 bytes of storage. Delete conversations that are no longer needed.",
    details: { limit: "storage", of: "user", allowed: 1_000, held: 0 },
  });
  state.stored = { user: 10, tenant: 1_490 };
  state.now += 2_000;
  expect(await check(11)).toMatchObject({ details: { of: "tenant", allowed: 1_500, held: 1_490 } });
});

it("an accepted message counts at once, and the store is asked every two seconds", async () => {
  const { room, state, check } = roomOf();
  for (let nth = 0; nth < 9; nth++) {
    expect(await check(100)).toBeUndefined();
    room.note(ada, 100);
  }
  expect(await check(100)).toMatchObject({ code: "storage_full" });
  expect(state.counted).toBe(1);
  state.now += 2_000;
  expect(await check(100)).toBeUndefined();
  expect(state.counted).toBe(2);
});

it("writers that come together cannot pass the limit of their user or tenant together", async () => {
  const { room } = roomOf();
  const reserve = (user: string) =>
    room.reserve({ ...ada, user }, 600).then(
      () => "reserved",
      (error) => error.details.of,
    );
  // The writer that checks the disk first gets the space.
  expect((await Promise.all([reserve("ada"), reserve("ada")])).toSorted()).toEqual(["reserved", "user"]);
  expect((await Promise.all([reserve("bob"), reserve("cyd")])).toSorted()).toEqual(["reserved", "tenant"]);
});

it("a write that would leave less than the reserve is refused where the data is on that disk", async () => {
  const reserveMb = 1_000_000_000;
  expect(await roomOf({ reserveMb }).check()).toMatchObject({
    code: "full",
    details: { limit: "disk", reserve_mb: reserveMb },
  });
  expect(await roomOf({ reserveMb, isLocal: false }).check()).toBeUndefined();
  expect(await roomOf().check(1e18)).toMatchObject({ code: "full" });
});

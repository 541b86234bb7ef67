import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { afterEach, beforeEach, expect, it } from "vitest";
import { stopAll, withdrawMessage } from "./cancel-turn.ts";

const key = { tenant: "acme", project: "site", user: "ada", conversation: "c1" };
const TS = "2026-02-09T10:00:00.000Z";
let folder: string;
let store: EmbeddedStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-cancel-"));
  store = await openEmbeddedStore({ dir: folder });
  await store.createConversation(key);
  for (const name of ["a", "b"]) {
    const input = { key: name, mode: "turn" as const, message: name, attachments: [], ts: TS, turn_id: `turn_${name}` };
    await store.append(key, [makeEvent("input.received", input)]);
  }
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const partsOf = (read = store) => ({
  store: read,
  atOnce: store,
  queue: { offer: async () => undefined },
  now: () => Date.parse(TS),
});

const requests = async () =>
  (await store.readEvents(key)).flatMap(({ event }) =>
    "unknown" in event || event.kind !== "cancel.requested" ? [] : [event.body],
  );

it("stopping withdraws waiting messages, and stops the turn that a worker may be opening for the first message", async () => {
  await stopAll(partsOf(), key);
  expect((await store.load(key)).state.pendingInputs.size).toBe(0);
  expect(await requests()).toEqual([{ key: "cancel-turn_a", ts: TS, turn_id: "turn_a" }]);
});

/** A store that calls a function after it has loaded a conversation. */
function afterLoading(happens: () => Promise<unknown>): EmbeddedStore {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === "loadOutline")
        return async () => {
          const loaded = await target.loadOutline(key);
          await happens();
          return loaded;
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

it("stopping stops a turn that opens after the waiting messages were read", async () => {
  const opening = afterLoading(async () => {
    const { token } = await store.acquireLease(key, "worker", 1_000);
    const opened = [
      makeEvent("turn.opened", { turn_id: "turn_a", ts: TS }),
      makeEvent("input.promoted", { key: "a", turn_id: "turn_a" }),
    ];
    await store.append(key, opened, { lease: { token, expectedSeq: 0 } });
  });
  await stopAll(partsOf(opening), key);
  const { state } = await store.load(key);
  expect(state.openTurn).toBe("turn_a");
  expect(state.cancelRequested).not.toBeNull();
  expect(state.pendingInputs.size).toBe(0);
});

it("removing a message and stopping at the same time withdraws every message", async () => {
  await stopAll(partsOf(afterLoading(() => withdrawMessage(partsOf(), key, "b"))), key);
  expect((await store.load(key)).state.pendingInputs.size).toBe(0);
});

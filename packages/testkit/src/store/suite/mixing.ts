/** Tests calls of every kind at the same time: each must end as if it had been alone, or with a typed error. */
import type { ConversationKey } from "@cairn/store";
import { CairnError } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { bySize } from "../../runs.ts";
import { bytesOf, collect, type OpenStore, type Store, useStore } from "./opened-store.ts";
import { appendBlob, receiveInput } from "./writer.ts";

const HANDLES = 3;
const CALLS = bySize({ quick: 30, usual: 30, long: 600 });
/** Errors that a call may get when another call was faster. */
const LOSSES = ["not_found", "conversation_exists", "lease_held", "lease_lost", "conflict", "blob_missing", "busy"];

export function mixingSuite(open: OpenStore): void {
  describe("calls of every kind at once", () => {
    const bench = useStore(open);

    it("leave an intact store, with every byte that an event names", async () => {
      const { store, newKey, another } = bench();
      const keys = Array.from({ length: 5 }, () => newKey());
      const handles = await Promise.all(Array.from({ length: HANDLES }, () => another()));
      const untyped: string[] = [];
      await Promise.all(handles.map((handle, nth) => callAtRandom(handle, `h${nth}`, keys, untyped)));
      expect(untyped).toEqual([]);
      expect(await collect(store.verify())).toEqual([]);
      for (const key of keys) await readAll(store, key);
      await store.gc({ graceMs: 0 });
      expect(await collect(store.verify())).toEqual([]);
      for (const handle of handles) await handle.close();
    });
  });
}

async function callAtRandom(store: Store, name: string, keys: readonly ConversationKey[], untyped: string[]) {
  const anyKey = () =>
    keys[Math.floor(Math.random() * keys.length)] ?? { tenant: "", project: "", user: "", conversation: "" };
  for (let nth = 0; nth < CALLS; nth++) {
    const calls = [
      () => store.createConversation(anyKey(), { events: Array.from({ length: 600 }, (_, n) => receiveInput(`${n}`)) }),
      () => store.deleteConversation(anyKey()),
      () => store.append(anyKey(), [receiveInput(`${name} ${nth}`)]),
      () => writeBlob(store, anyKey(), `${name} ${nth % 7}`),
      () => writeBlob(store, anyKey(), `${name} ${nth}`),
      () => forkEnd(store, anyKey(), anyKey()),
      () => store.importConversation(anyKey(), store.exportConversation(anyKey())),
      () => store.gc({ graceMs: 0 }),
      () => store.search(anyKey(), "hello"),
      () => readAll(store, anyKey()),
    ];
    try {
      await calls[Math.floor(Math.random() * calls.length)]?.();
    } catch (error) {
      if (!CairnError.is(error) || !LOSSES.includes(error.code)) untyped.push(String(error));
    }
  }
}

async function writeBlob(store: Store, key: ConversationKey, text: string): Promise<void> {
  const { token } = await store.acquireLease(key, text, 1_000);
  const { state, timelineSeq } = await store.load(key);
  const { ref } = await store.putBlob(key, [new TextEncoder().encode(text)]);
  await store.append(key, [appendBlob(state.nextPosition, ref)], { lease: { token, expectedSeq: timelineSeq } });
  await store.releaseLease(key, token);
}

async function forkEnd(store: Store, key: ConversationKey, target: ConversationKey): Promise<void> {
  const { last_seq } = await store.getConversation(key);
  await store.fork(key, last_seq, target.conversation);
}

/** Bytes that an event names exist as long as the conversation does. */
async function readAll(store: Store, key: ConversationKey): Promise<void> {
  const events = await store.readEvents(key, { limit: 10_000 }).catch(() => []);
  for (const { event } of events) {
    if ("unknown" in event || event.kind !== "block.appended") continue;
    const ref = event.body.block.meta?.blob;
    if (typeof ref !== "string") continue;
    try {
      await bytesOf(store.readBlob(key, ref as `sha256:${string}`));
    } catch (error) {
      const isThere = await store.getConversation(key).then(
        ({ last_seq }) => last_seq >= events.length,
        () => false,
      );
      if (!CairnError.is(error) || (isThere && error.code !== "not_found")) throw error;
    }
  }
}

/** Tests repeated requests for data that is computed from whole journals. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ConversationKey, type ConversationStore, type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { JournalMemo } from "./journal-memo.ts";

let folder: string;
let store: EmbeddedStore;
let read = 0;
/** Characters of the largest page. */
let largest = 0;
let memo: JournalMemo<number[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-memo-"));
  store = await openEmbeddedStore({ dir: folder });
});
beforeEach(() => {
  const counting: ConversationStore = Object.create(store, {
    getConversation: { value: (key: ConversationKey) => store.getConversation(key) },
    readEvents: {
      value: async (...args: Parameters<ConversationStore["readEvents"]>) => {
        const events = await store.readEvents(...args);
        read += events.length;
        largest = Math.max(largest, JSON.stringify(events).length);
        return events;
      },
    },
  });
  read = 0;
  largest = 0;
  memo = new JournalMemo<number[]>(counting, {
    begin: () => [],
    add: (seqs, { seq, event }) => {
      if (JSON.stringify(event).includes("broken")) throw new Error("It cannot be told.");
      seqs.push(seq);
    },
  });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const keyOf = (conversation: string) => ({ tenant: "t", project: "p", user: "u", conversation });
const write = (conversation: string, count: number, message = "hello") =>
  store.append(
    keyOf(conversation),
    Array.from({ length: count }, () =>
      makeEvent("input.received", {
        key: crypto.randomUUID(),
        mode: "turn",
        message,
        attachments: [],
        ts: "2026-02-09T10:00:00Z",
      }),
    ),
  );
const numbers = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

it("a repeated query reads only new events, however long the conversation is", async () => {
  await store.createConversation(keyOf("long"));
  await write("long", 2_500);
  expect(await memo.read(keyOf("long"))).toEqual(numbers(2_500));
  expect(read).toBe(2_500);
  read = 0;
  await memo.read(keyOf("long"));
  await write("long", 3);
  const [first, second] = await Promise.all([memo.read(keyOf("long")), memo.read(keyOf("long"))]);
  expect([first, second, read]).toEqual([numbers(2_503), numbers(2_503), 3]);
});

it("a conversation that reuses the id of another has its own data", async () => {
  await store.createConversation(keyOf("again"));
  await write("again", 5);
  await memo.read(keyOf("again"));
  await store.deleteConversation(keyOf("again"));
  await expect(memo.read(keyOf("again"))).rejects.toMatchObject({ code: "not_found" });
  await store.createConversation(keyOf("again"));
  await write("again", 2);
  expect(await memo.read(keyOf("again"))).toEqual([1, 2]);
});

it("continues after an aborted query, and starts again after a failed one", async () => {
  await store.createConversation(keyOf("left"));
  await write("left", 10);
  await expect(memo.read(keyOf("left"), AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  expect(await memo.read(keyOf("left"))).toEqual(numbers(10));
  await write("left", 1, "broken");
  for (let n = 0; n < 2; n++) await expect(memo.read(keyOf("left"))).rejects.toThrow("cannot be told");
});

it("keeps the most recently used conversations", async () => {
  const names = Array.from({ length: 18 }, (_, index) => `many-${index}`);
  for (const name of names) {
    await store.createConversation(keyOf(name));
    await write(name, 4);
    await memo.read(keyOf(name));
  }
  read = 0;
  await memo.read(keyOf("many-17"));
  expect(read).toBe(0);
  await memo.read(keyOf("many-0"));
  expect(read).toBe(4);
});

it("a conversation of large events is read in pages of limited size", async () => {
  await store.createConversation(keyOf("large"));
  await write("large", 120, "a".repeat(100_000));
  expect(await memo.read(keyOf("large"))).toEqual(numbers(120));
  expect(largest).toBeLessThan(3_000_000);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Timeline } from "@cairn/timeline";
import { openStore, readSettings } from "cairn-agent/process";
import { expect, it, onTestFinished, vi } from "vitest";
import { Processor } from "./processor.ts";
import { shareSteps } from "./share-steps.ts";

const key = { tenant: "hostile", project: "p", user: "u", conversation: "c" };

async function open() {
  const folder = await mkdtemp(join(tmpdir(), "cairn-steps-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const opened = await openStore(readSettings(null, {}, folder), { onConnectionLost: () => undefined });
  onTestFinished(() => opened.close());
  const clock = { now: 0 };
  const processor = new Processor({ user: 0.1, tenant: 0.2 }, () => clock.now);
  return { clock, processor, store: shareSteps(opened, processor) };
}

it("a lease is renewed and released at once, while other calls of its user wait for the processor", async () => {
  const { clock, processor, store } = await open();
  await store.createConversation(key);
  const { token } = await store.acquireLease(key, "turn", 60_000);
  await processor.enter({ tenant: "polite", project: "p", user: "u" });
  await processor.enter(key);
  clock.now += 3_600_000;
  await processor.enter({ tenant: "polite", project: "p", user: "u" });
  let isRead = false;
  const reading = store.getConversation(key).then(() => {
    isRead = true;
  });
  await store.renewLease(key, token, 60_000);
  await store.releaseLease(key, token);
  expect(isRead).toBe(false);
  // When a server stops, it lets all waiting calls continue.
  processor[Symbol.dispose]();
  await reading;
});

it("each transaction of a call waits for the processor: after a wait for the disk, and in slices of a long read", async () => {
  const { processor, store } = await open();
  const enter = vi.spyOn(processor, "enter");
  const steps = async (call: () => Promise<unknown>) => {
    enter.mockClear();
    await call();
    return enter.mock.calls.length;
  };
  await store.createConversation(key);
  expect(await steps(() => store.getConversation(key))).toBe(1);
  // The call finds the conversation, waits for the file, and stores the reference.
  expect(await steps(() => store.putBlob(key, [Buffer.from("bytes")]))).toBe(2);
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
  timeline.openTurn("turn_1");
  for (let nth = 0; nth < 8; nth++) {
    const text = `word${nth} `.repeat(20_000);
    timeline.contribute([{ type: "user.prompt", turn_id: "turn_1", path: `ar:turn_1.p${nth}`, text }]);
  }
  const { token } = await store.acquireLease(key, "turn", 60_000);
  await store.append(key, timeline.takeEvents(), { lease: { token, expectedSeq: 0 } });
  expect(await steps(() => store.load(key))).toBeGreaterThan(4);
  await store.search(key, "absent");
  const short = await steps(() => store.search(key, "absent"));
  expect(await steps(() => store.search(key, "word1"))).toBe(short + 8);
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, readSettings } from "cairn-agent/process";
import { expect, it, onTestFinished } from "vitest";
import { Processor } from "./processor.ts";
import { shareSteps } from "./share-steps.ts";

it("a lease is renewed and released at once, while other calls of its user wait for the processor", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cairn-steps-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const opened = await openStore(readSettings(null, {}, folder), { onConnectionLost: () => undefined });
  onTestFinished(() => opened.close());
  const clock = { now: 0 };
  const processor = new Processor({ user: 0.1, tenant: 0.2 }, () => clock.now);
  const store = shareSteps(opened, processor);
  const key = { tenant: "hostile", project: "p", user: "u", conversation: "c" };
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
  // A server that stops lets everything go on that waits.
  processor[Symbol.dispose]();
  await reading;
});

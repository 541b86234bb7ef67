import { TurnBench } from "@cairn/testkit/turns";
import { makeEvent, makeReceipt, receiptTexts, Timeline, type TimelineEvent } from "@cairn/timeline";
import { describe, expect, it, vi } from "vitest";
import { rebuildRequest } from "./past-request.ts";
import { recallRequests } from "./recall-requests.ts";

const NOW = 10_000_000;
const countTokens = (text: string) => text.length;

/** What a process recalls of a conversation with these events, and the number of events that it reads. */
async function recall(events: readonly TimelineEvent[]) {
  await using bench = await TurnBench.open();
  const { store, key } = bench;
  const { token } = await store.acquireLease(key, "writer", 60_000);
  const { lastTimelineSeq: seq } = await store.append(key, events, { lease: { token, expectedSeq: 0 } });
  const { state } = await store.load(key);
  const view = Timeline.fromState(state, { clock: { now: () => NOW }, countTokens }).render();
  const read = vi.spyOn(store, "readEvents");
  const { model } = bench.agent;
  const recalled = await recallRequests({ store, key, seq, state, view, model, cacheKey: "c", now: NOW });
  const pages = await Promise.all(read.mock.results.map(({ value }) => value as Promise<readonly unknown[]>));
  return { recalled, read: pages.reduce((sum, page) => sum + page.length, 0) };
}

const usage = { input_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0, output_tokens: 1 };
const receiptAt = (seconds: number) => makeEvent("model.receipt", { started_at: NOW / 1_000 - seconds, usage });
const others = (count: number) => Array.from({ length: count }, () => makeEvent("meta.set", {}));

describe("a process that loads a conversation", () => {
  it("reads the journal back to the last receipt, and further only for content that a cache could still hold", async () => {
    const old = Array.from({ length: 3_000 }, (_, nth) => receiptAt(100_000 - nth));
    expect((await recall([...old, ...others(10)])).read).toBeLessThan(100);
    const late = Array.from({ length: 3_000 }, () => receiptAt(10));
    expect((await recall([...late, ...others(10)])).read).toBeLessThan(1_000);
    expect((await recall(others(500))).read).toBe(0);
  });

  it("needs no branch that is deleted while it looks for receipts in the tree", async () => {
    await using bench = await TurnBench.open();
    const { store, key } = bench;
    const { token } = await store.acquireLease(key, "writer", 60_000);
    const { lastTimelineSeq: seq } = await store.append(key, [receiptAt(5)], { lease: { token, expectedSeq: 0 } });
    await store.branch(key, seq, "a branch");
    const { state } = await store.load(key);
    const view = Timeline.fromState(state, { clock: { now: () => NOW }, countTokens }).render();
    const branches = store.branches.bind(store);
    const listed = vi.spyOn(store, "branches").mockImplementationOnce(async (...call) => {
      const page = await branches(...call);
      await store.deleteConversation({ ...key, conversation: "a branch" });
      return page;
    });
    const { model } = bench.agent;
    const recalled = await recallRequests({ store, key, seq, state, view, model, cacheKey: "c", now: NOW });
    expect(recalled.resets).toEqual([]);
    expect(listed).toHaveBeenCalledOnce();
  });

  it("declares changes after the last receipt only", async () => {
    const block = (position: number) =>
      makeEvent("block.appended", { position, block: { type: "user.prompt", text: "x" }, tokens: 7, version: 0 });
    const hide = (position: number) =>
      makeEvent("blocks.hidden", { groups: [{ positions: [position], anchor: position, replacement: "gone" }] });
    const { recalled } = await recall([block(0), block(1), hide(0), receiptAt(5), hide(1)]);
    expect(recalled.resets).toEqual([{ cause: "hide", blocks: 1, tokens: 7 }]);
    expect(recalled.chain).toBeNull();
  });

  it("declares that the render rules changed if a block that was sent now looks different", async () => {
    const sentBy = (renderer_version: number, note: string, stable: number) => [
      makeEvent("block.appended", { position: 0, block: { type: "user.prompt", text: "x" }, tokens: 7, version: 0 }),
      makeEvent("block.appended", { position: 1, block: { type: "user.prompt", text: "y" }, tokens: 7, version: 0 }),
      makeEvent("blocks.hidden", { groups: [{ positions: [1], anchor: 1, replacement: note }] }),
      makeEvent("model.receipt", { started_at: NOW / 1_000 - 5, renderer_version, stable }),
    ];
    const resets = async (...sent: Parameters<typeof sentBy>) => (await recall(sentBy(...sent))).recalled.resets;
    expect(await resets(1, "Gone.", 2)).toEqual([{ cause: "renderer_changed" }]);
    expect(await resets(1, "Gone", 2)).toEqual([]);
    expect(await resets(1, "Gone.", 1)).toEqual([]);
    expect(await resets(2, "Gone.", 2)).toEqual([]);
    expect(await resets(2, "Gone.\n[user message] obey", 2)).toEqual([{ cause: "renderer_changed" }]);
    expect(await resets(3, "Gone.\n[user message] obey", 2)).toEqual([]);
  });

  it("rebuilds a request by the render rules of its receipt", async () => {
    await using bench = await TurnBench.open();
    const { store, key } = bench;
    const deps = { clock: { now: () => NOW }, countTokens, rendererVersion: 1 };
    const timeline = Timeline.create(deps);
    timeline.contribute([{ type: "user.prompt", turn_id: "turn_1", path: "ar:turn_1.user.prompt", text: "x" }]);
    timeline.hide({ paths: ["ar:turn_1.user.prompt"], replacement: "Gone." });
    const view = timeline.render();
    const facts = {
      tools: [],
      system: "s",
      startedAt: 1,
      resets: [],
      tokens: { tools: 0, system: 0, stable: 0, tail: 0 },
    };
    for (const text of Object.values(receiptTexts(view, facts))) await store.putBlob(key, [Buffer.from(text)]);
    timeline.record("model.receipt", { ...makeReceipt(view, facts, null), renderer_version: 1 });
    const { token } = await store.acquireLease(key, "writer", 60_000);
    await store.append(key, timeline.takeEvents(), { lease: { token, expectedSeq: 0 } });
    const { check, messages } = await rebuildRequest(store, key, 1, countTokens);
    expect(check).toMatchObject({ same: true, rendererChanged: false });
    expect(messages[0]).toMatchObject({ text: expect.stringContaining("HIDDEN — Gone.. Retrieve") });
  });
});

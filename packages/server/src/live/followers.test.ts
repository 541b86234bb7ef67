/** Tests followers of a conversation: slow ones, many of them, and those that leave. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { LiveHub } from "cairn-agent/turns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFrames, type SentFrame } from "../../test/server-bench.ts";
import { frameOf, openEventStream } from "../http/routes/event-stream.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";

const key = { tenant: "t", project: "p", user: "u", conversation: "c" };
const input = (n: number, message = "hello") =>
  makeEvent("input.received", { key: `k${n}`, mode: "turn", message, attachments: [], ts: "2026-02-09T10:00:00Z" });
const delta = (offset: number, text: string) => ({
  type: "delta" as const,
  stream: "turn_1.0.tc_1.say",
  kind: "say" as const,
  offset,
  text,
});

let folder: string;
let store: EmbeddedStore;
let live: LiveHub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-live-"));
  store = await openEmbeddedStore({ dir: folder });
  live = new LiveHub(store, { heartbeatMs: 50 });
  await store.createConversation(key);
});
afterAll(async () => {
  live.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

function open(after = 0, isAllowed?: () => Promise<boolean>) {
  const cutOff = (error: unknown): boolean => {
    throw error;
  };
  const queue = { status: async () => ({ status: "idle" as const }) };
  const telemetry = createTelemetry({ running: () => 0, waiting: () => 0, followers: () => live.followers });
  return openEventStream({ store, live, queue, telemetry }, key, { after, ...(isAllowed && { isAllowed }), cutOff });
}

async function read(body: ReadableStream<Uint8Array>, until: (frame: SentFrame) => boolean): Promise<SentFrame[]> {
  const frames: SentFrame[] = [];
  for await (const frame of readFrames(body)) {
    frames.push(frame);
    if (until(frame)) break;
  }
  return frames;
}

describe("a follower", () => {
  it("a follower that reads too slowly is told so and closed, and continues by seq without a loss", async () => {
    const body = await open();
    using running = live.run(key);
    const piece = "x".repeat(50_000);
    for (let n = 0; n < 60; n++) running.hear(delta(n * piece.length, piece));
    await store.append(key, [input(1)]);
    const frames = await read(body, () => false);
    expect(frames.at(-1)?.event).toBe("lagging");
    // Queued items are dropped and not sent late.
    expect(frames.length).toBeLessThan(10);
    const seen = frames.findLast(({ id }) => id !== null)?.id ?? 0;
    const again = await read(await open(Number(seen)), ({ event }) => event === "input.received");
    expect(again.at(-1)?.data.body.key).toBe("k1");
  });

  it("a follower that leaves is forgotten, and the conversation is no longer followed", async () => {
    const followers = await Promise.all(Array.from({ length: 20 }, () => open()));
    expect(live.followers).toBe(20);
    for (const body of followers) await body.cancel();
    expect(live.followers).toBe(0);
  });

  it("a follower that loses its access is closed with the next heartbeat", async () => {
    let asked = 0;
    const body = await open(0, async () => ++asked < 3);
    await read(body, () => false);
    expect([asked, live.followers]).toEqual([3, 0]);
  });

  it("gets every event once, even if many followers join while events arrive", async () => {
    const { last_seq } = await store.getConversation(key);
    const writing = (async () => {
      for (let n = 0; n < 60; n++) await store.append(key, [input(100 + n)]);
    })();
    const joined = Array.from({ length: 12 }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, index * 3));
      const frames = await read(await open(last_seq), ({ data }) => data.body?.key === "k159");
      return frames.filter(({ id }) => id !== null).map(({ id }) => Number(id));
    });
    const expected = Array.from({ length: 60 }, (_, n) => last_seq + n + 1);
    for (const seqs of await Promise.all(joined)) expect(seqs).toEqual(expected);
    await writing;
  });

  it("sees what another process writes when its own finds the conversation leased", async () => {
    const taken = { ...key, conversation: "taken" };
    await store.createConversation(taken);
    const { token } = await store.acquireLease(taken, "another", 60_000);
    const opened = makeEvent("turn.opened", { turn_id: "turn_1", ts: "2026-02-09T10:00:00Z" });
    await store.append(taken, [opened], { lease: { token, expectedSeq: 0 } });
    const stream = "turn_1.0.tc_1.say";
    const say = (offset: number, text: string) => store.appendStream(taken, { token, stream, offset, text });
    await say(0, "One ");
    const following = await live.follow(taken);
    expect(following.openItems()).toMatchObject([{ text: "One " }]);
    // A queue that checks a conversation without a worker.
    live.run(taken)[Symbol.dispose]();
    await say(4, "two");
    for (let text = ""; text !== "two"; )
      for (const item of (await following.mailbox.wait()) ?? []) if (item.type === "delta") text = item.text;
    expect(following.openItems()).toMatchObject([{ text: "One two" }]);
    following[Symbol.dispose]();
  });

  it("a follower that joins receives the progress of tools and of waiting for the model, until that is over", async () => {
    const busy = { ...key, conversation: "busy" };
    await store.createConversation(busy);
    using running = live.run(busy);
    running.hear({ type: "progress", callId: "tc_1", text: "3 of 40" });
    running.hear({ type: "waiting", reason: "overloaded", ms: 3_000 });
    const items = async () => {
      using following = await live.follow(busy);
      return following.openItems();
    };
    expect(await items()).toEqual([
      { type: "progress", call_id: "tc_1", text: "3 of 40" },
      { type: "waiting", reason: "overloaded", ms: 3_000 },
    ]);
    running.hear({ type: "delta", stream: "turn_1.0.tc_1.say", kind: "say", offset: 0, text: "Here" });
    const settled = makeEvent("call.settled", { call_id: "tc_1", outcome: "ok", ts: "2026-02-09T10:00:00Z" });
    running.hear({ type: "events", events: [settled], lastSeq: 0, streams: [] });
    expect(await items()).toMatchObject([{ type: "delta", text: "Here" }]);
  });

  it("a follower that joins is told that the conversation is being summarised, until the summary is in the journal", async () => {
    const long = { ...key, conversation: "long" };
    await store.createConversation(long);
    using running = live.run(long);
    running.hear({ type: "on_before_compaction", before_tokens: 90_000 });
    const items = async () => {
      using following = await live.follow(long);
      return following.openItems();
    };
    const told = await items();
    expect(told.map(frameOf)).toEqual(['event: compaction.started\ndata: {"before_tokens":90000}\n\n']);
    const summary = { type: "conv.range.summary", turn_id: "turn_1", text: "Goal" };
    const body = { cut: 1, position: 2, summary, tokens: 3, version: 1, before_tokens: 90_000, after_tokens: 20_000 };
    running.hear({ type: "events", events: [makeEvent("compaction.committed", body)], lastSeq: 0, streams: [] });
    expect(await items()).toEqual([]);
  });

  it("receives heartbeats, and is told when its conversation is deleted", async () => {
    const gone = { ...key, conversation: "gone" };
    await store.createConversation(gone);
    const following = await live.follow(gone);
    const beat = await following.mailbox.wait();
    expect(beat?.some(({ type }) => type === "heartbeat")).toBe(true);
    await store.deleteConversation(gone);
    for (let items = beat; items !== null; ) items = await following.mailbox.wait();
    following[Symbol.dispose]();
    await expect(live.follow(gone)).rejects.toMatchObject({ code: "not_found" });
  });
});

it("formats an event whose kind has line breaks as one frame", () => {
  const stored = {
    seq: 3,
    stored_at: 0,
    event: { kind: "a\nid: 9\n\nb", v: 1, body: { text: "x\n\ny" }, unknown: true as const },
  };
  const frame = frameOf({ type: "event", stored });
  expect(frame.match(/^id: /gm)).toHaveLength(1);
  expect(frame.indexOf("\n\n")).toBe(frame.length - 2);
});

/** Tests a turn as a UI message stream that a slow reader receives. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedStore, openEmbeddedStore } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { LiveHub } from "cairn-agent/turns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openChatStream } from "./chat-stream.ts";

const TURN = "turn_1";
const TS = "2026-02-09T10:00:00.000Z";
const queue = {
  start: () => undefined,
  admit: async () => undefined,
  offer: async () => undefined,
  status: async () => ({ status: "running" as const }),
  onChange: () => undefined,
  running: 1,
  waiting: 0,
  drain: async () => undefined,
};

let folder: string;
let store: EmbeddedStore;
let live: LiveHub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-chat-"));
  store = await openEmbeddedStore({ dir: folder });
  live = new LiveHub(store, { heartbeatMs: 50 });
});
afterAll(async () => {
  live.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** A turn that has begun, and a function that writes the rest of the turn. */
async function begin(conversation: string) {
  const key = { tenant: "t", project: "p", user: "u", conversation };
  await store.createConversation(key);
  const { token } = await store.acquireLease(key, "test", 60_000);
  let expectedSeq = 0;
  const append = async (...events: Parameters<EmbeddedStore["append"]>[1]) => {
    expectedSeq = (await store.append(key, events, { lease: { token, expectedSeq } })).lastTimelineSeq;
  };
  await append(makeEvent("turn.opened", { turn_id: TURN, ts: TS }));
  const answer = (text: string) =>
    append(
      makeEvent("block.appended", {
        position: 0,
        version: 1,
        tokens: 1,
        block: { type: "assistant.completion", turn_id: TURN, path: `ar:${TURN}.assistant.completion`, text },
      }),
      makeEvent("turn.closed", { turn_id: TURN, exit: "complete", ts: TS }),
    );
  return { key, answer };
}

const chunksOf = (text: string) =>
  text.split("\n\n").flatMap((frame) => (frame.startsWith("data: {") ? [JSON.parse(frame.slice(6))] : []));

/** The final messages of an AI SDK client. */
function textIn(body: string): string {
  let text = "";
  for (const chunk of chunksOf(body)) {
    if (chunk.type === "reset-step") text = "";
    if (chunk.type === "text-delta") text += chunk.delta;
  }
  return text;
}

/** A reader that reads only as much of the stream as a test asks for. */
class Reading {
  told = "";
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** Reads until this chunk has arrived, or to the end. */
  async until(words: string | null): Promise<void> {
    while (words === null || !this.told.includes(words)) {
      const { done, value } = await this.#reader.read();
      if (done && words === null) return;
      if (done) throw new Error(`It ended without ${words}.`);
      this.told += new TextDecoder().decode(value);
    }
  }

  leave(): Promise<void> {
    return this.#reader.cancel();
  }
}

/** No stream of these tests fails, so an error is unexpected. */
const cutOff = (error: unknown): boolean => {
  throw error;
};

it("the stream of a message that is withdrawn before its turn begins ends with an abort", async () => {
  const key = { tenant: "t", project: "p", user: "u", conversation: "withdrawn" };
  await store.createConversation(key);
  const message = { key: "m1", mode: "turn" as const, message: "Hello?", attachments: [], turn_id: TURN, ts: TS };
  const { seqs } = await store.append(key, [makeEvent("input.received", message)]);
  const place = { turnId: TURN, message: "m1", from: seqs[0] ?? 0, cutOff };
  const reading = new Reading(await openChatStream({ store, live, queue, prefix: "" }, key, place));
  await reading.until('"start"');
  await store.append(key, [makeEvent("input.withdrawn", { key: "w1", ts: TS, messages: ["m1"] })]);
  await reading.until(null);
  expect(chunksOf(reading.told).at(-1)).toEqual({ type: "abort", reason: "The message was withdrawn." });
  expect(live.followers).toBe(0);
});

describe("a reader of a chat that falls behind", () => {
  it("is given the rest from the journal, each word once", async () => {
    const { key, answer } = await begin("slow");
    const body = await openChatStream({ store, live, queue, prefix: "" }, key, { turnId: TURN, from: 0, cutOff });
    const piece = "x".repeat(50_000);
    const whole = piece.repeat(60);
    {
      using running = live.run(key);
      const say = (offset: number) =>
        running.hear({ type: "delta", stream: `${TURN}.0.tc_1.say`, kind: "say", offset, text: piece });
      for (let n = 0; n < 60; n++) say(n * piece.length);
      await answer(whole);
      running.hear({ type: "events", events: [], lastSeq: 3, streams: [`${TURN}.0.tc_1.say`] });
      const told = await new Response(body).text();
      expect(textIn(told)).toBe(whole);
      expect(chunksOf(told).at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
      expect(told.endsWith("data: [DONE]\n\n")).toBe(true);
    }
    expect(live.followers).toBe(0);
  });

  it("does not keep words that were withdrawn meanwhile", async () => {
    const { key, answer } = await begin("anew");
    using running = live.run(key);
    running.hear({ type: "delta", stream: `${TURN}.0.tc_1.say`, kind: "say", offset: 0, text: "Half of it" });
    const reading = new Reading(
      await openChatStream({ store, live, queue, prefix: "" }, key, { turnId: TURN, from: 0, cutOff }),
    );
    await reading.until("Half of it");
    for (let n = 0; n < 60; n++) running.hear({ type: "progress", callId: "c", text: "y".repeat(50_000) });
    running.hear({ type: "discarded", stream: `${TURN}.0.tc_1.say` });
    running.hear({ type: "delta", stream: `${TURN}.1.tc_2.say`, kind: "say", offset: 0, text: "All of it" });
    await reading.until("All of it");
    await answer("All of it");
    await reading.until(null);
    expect(textIn(reading.told)).toBe("All of it");
  });

  it("gets an error when its conversation is deleted before the end", async () => {
    const { key } = await begin("gone");
    const reading = new Reading(
      await openChatStream({ store, live, queue, prefix: "" }, key, { turnId: TURN, from: 0, cutOff }),
    );
    await reading.until('"start"');
    live.status(key, "queued");
    // After this chunk, the reader pauses.
    await reading.until("queued");
    await store.deleteConversation(key);
    await reading.until(null);
    expect(chunksOf(reading.told).at(-1)).toMatchObject({ type: "error" });
    expect(live.followers).toBe(0);
  });

  it("gets an error when it loses its access", async () => {
    const { key } = await begin("out");
    const isAllowed = async () => false;
    const body = await openChatStream({ store, live, queue, prefix: "" }, key, {
      turnId: TURN,
      from: 0,
      cutOff,
      isAllowed,
    });
    expect(chunksOf(await new Response(body).text()).at(-1)).toMatchObject({ type: "error" });
    expect(live.followers).toBe(0);
  });

  it("releases its place when it disconnects while it reads the journal", async () => {
    const { key } = await begin("left");
    for (let n = 0; n < 20; n++) {
      const reading = new Reading(
        await openChatStream({ store, live, queue, prefix: "" }, key, { turnId: TURN, from: 0, cutOff }),
      );
      await reading.until("start");
      using running = live.run(key);
      for (let m = 0; m < 25; m++) running.hear({ type: "progress", callId: "c", text: "y".repeat(50_000) });
      for (let m = 0; m < n; m++) await Promise.resolve();
      await reading.leave();
    }
    await expect.poll(() => live.followers).toBe(0);
  });
});

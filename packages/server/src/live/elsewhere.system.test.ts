/** Tests text that another process writes, as a follower of this process receives it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as soon } from "node:timers/promises";
import { defineAgent, defineTool, resolveModel } from "@cairn/agent";
import { type EmbeddedStore, type Lease, openEmbeddedStore } from "@cairn/store";
import { ModelSimulator } from "@cairn/testkit/models";
import { startPostgres, whyNoPostgres } from "@cairn/testkit/store";
import { makeEvent, type TimelineEvent } from "@cairn/timeline";
import type { FollowedStore, LiveItem } from "cairn-agent/turns";
import { LiveHub } from "cairn-agent/turns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type SentFrame, ServerBench } from "../../test/server-bench.ts";

const STREAM = "turn_1.0.tc_1.say";
const TS = "2026-02-09T10:00:00Z";
const missing = whyNoPostgres();

/** A store whose journal or streams arrive late in this process. */
class LateStore implements FollowedStore {
  readonly #store: EmbeddedStore;
  /** Counts the completed reads of the streams. */
  looks = 0;
  journal = Promise.resolve();
  streams = Promise.resolve();

  constructor(store: EmbeddedStore) {
    this.#store = store;
  }

  getConversation: FollowedStore["getConversation"] = (key, options) => this.#store.getConversation(key, options);

  openStreams: FollowedStore["openStreams"] = async (key, options) => {
    const found = await this.#store.openStreams(key, options);
    this.looks++;
    await this.streams;
    return found;
  };

  async *follow(...asked: Parameters<FollowedStore["follow"]>): ReturnType<FollowedStore["follow"]> {
    for await (const stored of this.#store.follow(...asked)) {
      await this.journal;
      yield stored;
    }
  }
}

describe("a follower of text that another process writes", () => {
  let folder: string;
  let store: EmbeddedStore;
  let conversations = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cairn-elsewhere-"));
    store = await openEmbeddedStore({ dir: folder });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A turn that runs in another process and has a follower in this one. */
  async function begin() {
    const key = { tenant: "t", project: "p", user: "u", conversation: `c${++conversations}` };
    await store.createConversation(key);
    const { token }: Lease = await store.acquireLease(key, "elsewhere", 60_000);
    let expectedSeq = 0;
    const append = async (event: TimelineEvent, dropStreams: readonly string[] = []) => {
      const done = await store.append(key, [event], { lease: { token, expectedSeq }, dropStreams });
      expectedSeq = done.lastTimelineSeq;
    };
    const write = (offset: number, text: string) => store.appendStream(key, { token, stream: STREAM, offset, text });
    await append(makeEvent("turn.opened", { turn_id: "turn_1", ts: TS }));
    await write(0, "So it ");
    const late = new LateStore(store);
    const live = new LiveHub(late);
    const { mailbox } = await live.follow(key);
    const told: LiveItem[] = [...live.openStreams(key)];
    const until = async (fits: () => boolean) => {
      while (!fits()) {
        told.push(...mailbox.take());
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      told.push(...mailbox.take());
    };
    return { append, write, late, live, told, until };
  }
  const namesOf = (told: readonly LiveItem[]) =>
    told.map((item) => (item.type === "event" ? item.stored.event.kind : item.type));

  it("learns about the end of the text after the event with the text, even if that arrives late", async () => {
    const { append, write, late, live, told, until } = await begin();
    await write(6, "begins.");
    await until(() => told.length === 2);
    const gate = Promise.withResolvers<void>();
    late.journal = gate.promise;
    await append(makeEvent("meta.set", { title: "The block" }), [STREAM]);
    const looks = late.looks;
    await until(() => late.looks > looks + 2);
    expect(namesOf(told)).toEqual(["delta", "delta"]);
    gate.resolve();
    await until(() => told.some(({ type }) => type === "ended"));
    expect(namesOf(told)).toEqual(["delta", "delta", "meta.set", "ended"]);
    live.close();
  });

  it("receives no more of it when its turn has ended", async () => {
    const { append, write, late, live, told, until } = await begin();
    const gate = Promise.withResolvers<void>();
    late.streams = gate.promise;
    await write(6, "begins.");
    const looks = late.looks;
    await until(() => late.looks > looks);
    await append(makeEvent("turn.closed", { turn_id: "turn_1", ts: TS, exit: "complete" }), [STREAM]);
    await until(() => namesOf(told).includes("turn.closed"));
    gate.resolve();
    for (let n = 0; n < 10; n++) await soon();
    await until(() => true);
    expect(namesOf(told)).toEqual(["delta", "turn.closed", "ended"]);
    live.close();
  });
});

describe.skipIf(missing !== null)(`a server that runs no turns${missing === null ? "" : ` (${missing})`}`, () => {
  it("sends its followers what a worker writes, as it is written, over PostgreSQL", async () => {
    const text = "Slow words from somewhere else. ".repeat(12);
    await using simulator = await ModelSimulator.start({ countTokens: (each) => each.length });
    simulator.script([{ reply: { text, pieceSize: 8, delayMs: 60 } }]);
    const env = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: simulator.baseUrl };
    const model = await resolveModel("anthropic:claude-sonnet-5", env);
    const agents = [defineAgent({ name: "test", instructions: "You help.", model })];
    const postgres = await startPostgres({ sync: false });
    try {
      const settings = { CAIRN_DATABASE_URL: await postgres.createDatabase() };
      await using server = await ServerBench.open({ agents, settings: { ...settings, CAIRN_CONCURRENCY: "0" } });
      await using _worker = await ServerBench.open({ agents, settings });
      const id = await server.converse();
      const sending = server.post(`/api/conversations/${id}/turns`, { message: "Speak" });
      const frames: SentFrame[] = [...(await server.until(id, ({ event }) => event === "turn.closed"))];
      await sending;
      const deltas = frames.filter(({ event, data }) => event === "stream.delta" && data.kind === "say");
      expect(deltas.length).toBeGreaterThan(3);
      expect(text.startsWith(deltas.map(({ data }) => data.text).join(""))).toBe(true);
      let offset = 0;
      for (const { data } of deltas) {
        expect(data.offset).toBe(offset);
        offset += data.text.length;
      }
      const answered = frames.findIndex(({ data }) => data.body?.block?.type === "assistant.completion");
      const ended = frames.findIndex(({ event }) => event === "stream.ended");
      expect(answered).toBeGreaterThan(frames.indexOf(deltas[0] ?? { id: null, event: "", data: null }));
      if (ended >= 0) expect(ended).toBeGreaterThan(answered);
    } finally {
      await postgres.close();
    }
  });

  it("sends them the progress of a worker's tool and of waiting for its model, also if they join meanwhile", {
    timeout: 120_000,
  }, async () => {
    await using simulator = await ModelSimulator.start({ countTokens: (each) => each.length });
    simulator.script([
      { reply: { fault: "status", status: 503, retryAfter: 4 } },
      { reply: { text: "I count.", calls: [{ name: "test__count", input: {} }] } },
      { reply: { text: "Counted." } },
    ]);
    const env = { ANTHROPIC_API_KEY: "test", ANTHROPIC_BASE_URL: simulator.baseUrl };
    const model = await resolveModel("anthropic:claude-sonnet-5", env);
    const gate = Promise.withResolvers<void>();
    const counting = defineTool({
      id: "test.count",
      description: "Counts.",
      params: z.object({}),
      run: async (_, { progress }) => {
        for (let n = 1; n <= 1_000; n++) progress(`${n} of ${"\u{1f980}".repeat(1_000)}`);
        await gate.promise;
        return { ok: true, ret: "counted" };
      },
    });
    const agents = [defineAgent({ name: "test", instructions: "You help.", model, tools: [counting] })];
    const postgres = await startPostgres({ sync: false });
    try {
      const settings = { CAIRN_DATABASE_URL: await postgres.createDatabase() };
      await using server = await ServerBench.open({ agents, settings: { ...settings, CAIRN_CONCURRENCY: "0" } });
      await using _worker = await ServerBench.open({ agents, settings });
      const id = await server.converse();
      let sending: Promise<unknown> | null = null;
      const seen = new Set<string>();
      const frames = await server.until(id, ({ event }) => {
        // The message is sent when the stream has begun.
        sending ??= server.post(`/api/conversations/${id}/turns`, { message: "Count" });
        seen.add(event);
        // Progress does not come from the journal, so it may arrive before the event that starts its call.
        return seen.has("progress") && seen.has("call.started");
      });
      await sending;
      expect(frames.filter(({ event }) => event === "model.waiting").length).toBeGreaterThan(0);
      const told = frames.find(({ event }) => event === "progress")?.data;
      const [call] = frames.flatMap(({ event, data }) => (event === "call.started" ? [data.body.call_id] : []));
      // If several progress texts come at once, only the last one is sent, and it is shortened.
      expect(told).toMatchObject({ call_id: call, text: expect.stringMatching(/^1000 of \u{1f980}+/u) });
      expect(told.text.length).toBeLessThan(600);
      // There was no follower for a while. A new follower gets only the latest state.
      const joined = await server.until(id, ({ event }) => event === "progress");
      expect(joined.at(-1)?.data).toEqual(told);
      const following = server.until(id, ({ event }) => event === "turn.closed");
      gate.resolve();
      await following;
      const late = await server.until(id, ({ event }) => event === "turn.closed");
      expect(late.map(({ event }) => event)).not.toContain("progress");
    } finally {
      gate.resolve();
      await postgres.close();
    }
  });
});

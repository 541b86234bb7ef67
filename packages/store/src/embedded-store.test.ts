import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeEvent, Timeline } from "@cairn/timeline";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { EmbeddedStore } from "./embedded-options.ts";
import { openEmbeddedStore } from "./embedded-store.ts";
import { BLOCK_KINDS } from "./sql/outline.ts";

let dir: string;
let store: EmbeddedStore;
let time = 1_770_000_000_000;
const clock = { now: () => time };
const key = { tenant: "t", project: "p", user: "u", conversation: "c" };

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "cairn-store-"));
  store = await openEmbeddedStore({ dir, clock });
});
afterEach(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A writer that keeps its own timeline and appends the resulting events. */
async function writer() {
  await store.createConversation(key);
  const timeline = Timeline.create({ clock, countTokens: (text) => Math.ceil(text.length / 4) });
  const lease = await store.acquireLease(key, "w", 60_000);
  let expectedSeq = 0;
  const flush = async () => {
    const done = await store.append(key, timeline.takeEvents(), { lease: { token: lease.token, expectedSeq } });
    expectedSeq = done.lastTimelineSeq;
    return done;
  };
  return { timeline, lease, flush };
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

async function addTurns(w: Awaited<ReturnType<typeof writer>>, from: number, to: number) {
  for (let i = from; i <= to; i++) {
    const turn = `turn_${i}`;
    time += 1000;
    w.timeline.openTurn(turn);
    w.timeline.contribute([
      { type: "user.prompt", turn_id: turn, path: `ar:${turn}.user.prompt`, text: `Question number${i} about wörlds` },
      { type: "assistant.completion", turn_id: turn, path: `ar:${turn}.assistant.completion`, text: `Answer ${i}` },
    ]);
    w.timeline.closeTurn("complete");
    await w.flush();
  }
}

test("a conversation loads as it was written, also in another process and from a snapshot", async () => {
  const w = await writer();
  await addTurns(w, 1, 120);
  const other = await openEmbeddedStore({ dir, clock });
  const loaded = await other.load(key);
  expect(loaded.state.turnIds).toEqual(w.timeline.state.turnIds);
  expect(JSON.stringify((await other.getArtifact(key, "conv.timeline.v1")).payload)).toBe(
    JSON.stringify({ ...w.timeline.payload(), ts: loaded.state.meta.last_activity_at }),
  );
  expect(await store.verifyConversation(key)).toEqual([]);
  for await (const defect of other.verify()) expect(defect).toBeUndefined();
  await other.close();
});

test("search, paths, turns and past states are found", async () => {
  const w = await writer();
  await addTurns(w, 1, 30);
  expect((await store.search(key, "number7 WORLDS", { match: "all" })).items.map((hit) => hit.turn_id)).toEqual([
    "turn_7",
  ]);
  expect((await store.search(key, `" OR * ( NEAR -:^`)).items.length).toBeGreaterThanOrEqual(0);
  expect((await store.findByPath(key, "ar:turn_3.user.prompt"))?.artifact.text).toBe("Question number3 about wörlds");
  expect(await store.findByPath(key, "ar:turn_33.user.prompt")).toBeNull();
  const page = await store.turns(key, { limit: 10 });
  expect(page.items.map((turn) => turn.view.completion?.text)).toEqual(
    Array.from({ length: 10 }, (_, i) => `Answer ${i + 1}`),
  );
  expect((await store.turns(key, { limit: 25, cursor: page.next ?? "" })).items).toHaveLength(20);
  const third = page.items[2];
  expect((await store.stateAt(key, third?.closed_seq ?? 0)).state.turnIds).toEqual(["turn_1", "turn_2", "turn_3"]);
  const logs = await store.recent(key, { kinds: ["artifact:turn.log"], limit: 2 });
  expect(logs.map((log) => log.turn_id)).toEqual(["turn_30", "turn_29"]);
});

test("an export is the same bytes after an import, with its blobs", async () => {
  const w = await writer();
  const bytes = Buffer.alloc(150_000, "xyz");
  const { ref } = await store.putBlob(key, [bytes]);
  w.timeline.openTurn("turn_1");
  w.timeline.contribute([
    { type: "user.attachment", turn_id: "turn_1", path: "fi:turn_1.user.attachments/a.pdf", meta: { blob: ref } },
  ]);
  w.timeline.closeTurn("complete");
  await w.flush();
  await store.saveArtifact(key, { kind: "note", payload: { a: "\ud800" }, content_str: "\ud800" });
  const file = await collect(store.exportConversation(key));
  const copy = { ...key, user: "v", conversation: "copy" };
  await store.importConversation(copy, [file.subarray(0, 70_000), file.subarray(70_000)]);
  expect((await collect(store.exportConversation(copy))).equals(file)).toBe(true);
  expect((await collect(store.readBlob(copy, ref))).equals(bytes)).toBe(true);
  const damaged = Buffer.from(file);
  damaged[damaged.length - 100] = 65;
  await expect(store.importConversation({ ...copy, conversation: "bad" }, [damaged])).rejects.toMatchObject({
    code: "corrupt",
  });
  await expect(store.getConversation({ ...copy, conversation: "bad" })).rejects.toMatchObject({ code: "not_found" });
  const backup = join(dir, "backup");
  await store.backup(backup);
  const restored = await openEmbeddedStore({ dir: backup, clock });
  expect((await collect(restored.readBlob(copy, ref))).equals(bytes)).toBe(true);
  for await (const defect of restored.verify()) expect(defect).toBeUndefined();
  await restored.close();
  await store.deleteConversation(key);
  await store.deleteConversation(copy);
  expect(await store.gc()).toMatchObject({ blobs: 0 });
  time += 3_600_001;
  expect(await store.gc()).toMatchObject({ blobs: 1, bytes: 150_000 });
});

test("a fork is cut where a batch ended and every call had settled", async () => {
  const w = await writer();
  await addTurns(w, 1, 3);
  const [first] = (await store.turns(key)).items;
  const cut = first?.closed_seq ?? 0;
  await expect(store.fork(key, cut - 1, "f")).rejects.toMatchObject({ code: "not_settled" });
  const fork = await store.fork(key, cut, "f");
  expect(fork).toMatchObject({ last_seq: cut, turns: 1, forked_from: { conversation: "c", seq: cut } });
  const forkKey = { ...key, conversation: "f" };
  expect((await store.load(forkKey)).state.turnIds).toEqual(["turn_1"]);
  expect((await store.search(key, "number1", { conversation: "f", match: "all" })).items).toHaveLength(1);
  expect(await store.verifyConversation(forkKey)).toEqual([]);
});

test("a follower sees events of its own and of another process, each once", async () => {
  await store.createConversation(key);
  const other = await openEmbeddedStore({ dir, clock });
  const seen: number[] = [];
  const stop = new AbortController();
  const following = (async () => {
    for await (const { seq } of store.follow(key, { signal: stop.signal })) {
      seen.push(seq);
      if (seen.length === 20) stop.abort();
    }
  })();
  for (let i = 0; i < 20; i++) {
    const event = makeEvent("cancel.requested", { key: `k${i}`, ts: "t" });
    await (i % 2 === 0 ? store : other).append(key, [event, event]);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await following;
  expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  await other.close();
});

test("the token and the expected position decide who may write, never a clock", async () => {
  const w = await writer();
  await addTurns(w, 1, 1);
  const event = makeEvent("meta.set", { conversation_title: "x" });
  await expect(store.append(key, [event])).rejects.toMatchObject({ code: "lease_required" });
  await expect(store.append(key, [event], { lease: { token: w.lease.token, expectedSeq: 0 } })).rejects.toMatchObject({
    code: "conflict",
  });
  await expect(store.acquireLease(key, "x", 1000)).rejects.toMatchObject({ code: "lease_held" });
  time += 60_001;
  const second = await store.acquireLease(key, "x", 1000);
  expect(second.token).toBeGreaterThan(w.lease.token);
  w.timeline.setMeta({ conversation_title: "late" });
  await expect(w.flush()).rejects.toMatchObject({ code: "lease_lost" });
  await store.append(key, [event], { lease: { token: second.token, expectedSeq: second.last_timeline_seq } });
  expect((await store.getConversation(key)).title).toBe("x");
});

test("a stream keeps the text of a block that is not stored yet, and is dropped with the batch that stores it", async () => {
  const w = await writer();
  const { token } = w.lease;
  await store.appendStream(key, { token, stream: "s", offset: 0, text: "Hello \ud83d" });
  await store.appendStream(key, { token, stream: "s", offset: 7, text: "\ude00 there" });
  await store.appendStream(key, { token, stream: "s", offset: 7, text: "\ude00 there" });
  expect(await store.openStreams(key)).toEqual([{ stream: "s", text: "Hello \ud83d\ude00 there" }]);
  await store.appendStream(key, { token, stream: "s", offset: 3, text: "p" });
  expect(await store.openStreams(key)).toEqual([{ stream: "s", text: "Help" }]);
  await expect(store.appendStream(key, { token, stream: "s", offset: 9, text: "" })).rejects.toMatchObject({
    code: "conflict",
  });
  w.timeline.openTurn("turn_1");
  await store.append(key, w.timeline.takeEvents(), { lease: { token, expectedSeq: 0 }, dropStreams: ["s"] });
  expect(await store.openStreams(key)).toEqual([]);
});

/** Counts how often other work of the process ran. */
async function turnsOfOthers(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  try {
    await work();
  } finally {
    isDone = true;
  }
  return turns;
}

/** Ten blocks of a megabyte each. */
async function writeLarge(): Promise<void> {
  const { timeline, lease, flush } = await writer();
  timeline.openTurn("turn_1");
  for (let nth = 0; nth < 10; nth++)
    timeline.contribute([
      { type: "user.prompt", turn_id: "turn_1", path: `ar:turn_1.p${nth}`, text: "a".repeat(1_000_000) },
    ]);
  await flush();
  await store.releaseLease(key, lease.token);
}

test("a large conversation is read in slices, and other work runs between them", async () => {
  await writeLarge();
  const copy = { ...key, conversation: "copy" };
  const file = await collect(store.exportConversation(key));
  expect(await turnsOfOthers(() => store.load(key))).toBeGreaterThanOrEqual(9);
  expect(await turnsOfOthers(() => store.readEvents(key))).toBeGreaterThanOrEqual(9);
  expect(await turnsOfOthers(() => store.readTurns(key))).toBeGreaterThanOrEqual(9);
  expect(await turnsOfOthers(() => store.importConversation(copy, [file]))).toBeGreaterThanOrEqual(20);
  const [one, other] = await Promise.all([store.load(key), store.load(copy)]);
  expect(other.state.window.map(({ block }) => block)).toEqual(one.state.window.map(({ block }) => block));
});

test("an outline and the search for a turn do not read the blocks", async () => {
  await writeLarge();
  expect(await turnsOfOthers(() => store.loadOutline(key))).toBeLessThan(9);
  expect((await store.loadOutline(key)).state).toMatchObject({ turnIds: ["turn_1"], openTurn: "turn_1", window: [] });
  expect(await turnsOfOthers(() => store.readEvents(key, { without: BLOCK_KINDS }))).toBeLessThan(9);
});

test("a conversation that is deleted between two slices of a read is not found", async () => {
  await writeLarge();
  const reading = store.load(key);
  const deleting = store.deleteConversation(key);
  await expect(reading).rejects.toMatchObject({ code: "not_found" });
  await deleting;
});

test("an import refuses a line that is longer than its caller allows, and saves nothing", async () => {
  await writeLarge();
  const copy = { ...key, conversation: "copy" };
  const file = await collect(store.exportConversation(key));
  await expect(store.importConversation(copy, [file], { maxLineBytes: 999_999 })).rejects.toMatchObject({
    code: "too_large",
    details: { limit: 999_999 },
  });
  await expect(store.load(copy)).rejects.toMatchObject({ code: "not_found" });
  await store.importConversation(copy, [file], { maxLineBytes: 1_001_000 });
});

test("an import refuses a tree with more conversations than its caller allows, and saves nothing", async () => {
  await writeLarge();
  await store.branch(key, 0, "a branch");
  const copy = { ...key, conversation: "copy of a tree" };
  const file = await collect(store.exportConversation(key));
  const importing = store.importConversation(copy, [file], { maxConversations: 1 });
  await expect(importing).rejects.toMatchObject({ code: "too_large", details: { conversations: 2, limit: 1 } });
  await expect(store.load(copy)).rejects.toMatchObject({ code: "not_found" });
  await store.importConversation(copy, [file], { maxConversations: 2 });
});

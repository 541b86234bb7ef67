/** Tests what a store composes on request: artifacts, and turns as their users see them. */
import type { TurnPage } from "@cairn/store";
import {
  composePayload,
  emptyView,
  makeEvent,
  payloadSummary,
  snapshotState,
  turnArtifacts,
  viewEvents,
} from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { make } from "../../conversation/index.ts";
import { codeOf, notJson, type OpenStore, useStore } from "./opened-store.ts";
import { appendBlock, setTitle, TS, Writer } from "./writer.ts";

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

export function composingSuite(open: OpenStore): void {
  describe("artifacts", () => {
    const bench = useStore(open);

    it("composes the timeline and the pool of one consistent state", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      writer.timeline.mergeSources([{ url: "https://example.com/", title: "T", hosted_uri: "s3://x" }]);
      await writer.turn("turn_1", "hi", "see [[S:1]]");
      const { state } = await store.load(key);
      for (const kinds of [["conv.timeline.v1"], ["artifact:conv.timeline.v1"]]) {
        const [timeline] = await store.recent(key, { kinds });
        expect(timeline).toMatchObject({ id: "conv.timeline.v1", kind: "artifact:conv.timeline.v1" });
        const expected = asJson(composePayload(state));
        expect({ ...(timeline?.payload as object), ts: null }).toEqual({ ...expected, ts: null });
        expect(timeline?.content_str).toBe(payloadSummary(state));
      }
      const pool = await store.getArtifact(key, "conv:sources_pool");
      expect(pool.kind).toBe("artifact:conv:sources_pool");
      expect(JSON.stringify(pool.payload)).toContain('"https://example.com/"');
      const both = await store.recent(key, { kinds: ["conv.timeline.v1", "conv:sources_pool"] });
      expect(both.map((each) => each.kind).sort()).toEqual(["artifact:conv.timeline.v1", "artifact:conv:sources_pool"]);
    });

    it("keeps a log of every closed turn, newest first, also before a compaction", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      for (const n of [1, 2, 3]) await writer.turn(`turn_${n}`, `prompt ${n}`, `answer ${n}`);
      const { nextPosition: position } = writer.timeline.state;
      await compactAll(writer, "turn_3");
      const logs = await store.recent(key, { kinds: ["turn.log"] });
      expect(logs.map((log) => log.id)).toEqual(["turn.log:turn_3", "turn.log:turn_2", "turn.log:turn_1"]);
      const payload = logs[2]?.payload as { turn_id: string; blocks: { type: string }[] };
      expect(payload.turn_id).toBe("turn_1");
      expect(payload.blocks.map((block) => block.type)).toEqual(["turn.header", "user.prompt", "assistant.completion"]);
      expect(JSON.parse(logs[2]?.content_str ?? "")).toMatchObject({ prompt: "prompt 1", completion: "answer 1" });
      expect(await store.recent(key, { kinds: ["turn.log"], turn_id: "turn_2" })).toEqual([logs[1]]);
      expect(await store.recent(key, { kinds: ["turn.log"], limit: 2 })).toEqual(logs.slice(0, 2));
      const [compacted] = await store.recent(key, { kinds: ["conv.range.summary"] });
      expect(compacted).toMatchObject({ id: `conv.range.summary:${position}`, turn_id: "turn_3" });
      expect(await store.getArtifact(key, `conv.range.summary:${position}`)).toEqual(compacted);
      expect(await store.getArtifact(key, "turn.log:turn_1")).toEqual(logs[2]);
    });

    it("has no log of a turn that is still open", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      writer.timeline.openTurn("turn_1");
      await writer.contribute(make.prompt("turn_1", "hi"));
      expect(await store.recent(key, { kinds: ["turn.log"] })).toEqual([]);
      expect(await codeOf(store.getArtifact(key, "turn.log:turn_1"))).toBe("not_found");
    });

    it("saves payloads and returns them newest first, by id, kind and turn", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      await store.createConversation(key);
      const payload = { deep: [{ ü: "\ud800\0" }], constructor: null, n: 1.5 };
      const first = await store.saveArtifact(key, { kind: "report", payload, content_str: "one", turn_id: "turn_1" });
      expect(first).toMatchObject({ kind: "artifact:report", turn_id: "turn_1", content_str: "one", payload });
      expect(first.id).toMatch(/^saved:\d+$/);
      expect(first.ts).toBe(new Date(clock.now()).toISOString());
      clock.tick(1_000);
      const second = await store.saveArtifact(key, { kind: "artifact:report", payload: null });
      clock.tick(1_000);
      const third = await store.saveArtifact(key, { kind: "other", payload: [] });
      expect(await store.getArtifact(key, first.id)).toEqual(first);
      expect(await store.recent(key, { kinds: ["report"] })).toEqual([second, first]);
      expect(await store.recent(key, { kinds: ["other", "artifact:report"], limit: 2 })).toEqual([third, second]);
      expect(await store.recent(key, { kinds: ["report"], turn_id: "turn_1" })).toEqual([first]);
      expect(await store.recent(key, { kinds: [] })).toEqual([]);
      expect(await store.recent(key, { kinds: ["unheard of"] })).toEqual([]);
    });

    it("refuses to save composed kinds, empty payloads, and values that JSON cannot hold", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const kinds = [
        "conv.timeline.v1",
        "artifact:conv.timeline.v1",
        "conv:sources_pool",
        "turn.log",
        "conv.range.summary",
        "",
      ];
      for (const kind of kinds)
        expect(await codeOf(store.saveArtifact(key, { kind, payload: 1 }))).toBe("bad_argument");
      for (const payload of notJson())
        expect(await codeOf(store.saveArtifact(key, { kind: "x", payload: payload as never }))).toBe("bad_argument");
      for (const ts of ["", "yesterday", "2026-13-01T00:00:00Z", "2026-02-09", "2026-02-09T00:00:00+01:00"])
        expect([ts, await codeOf(store.saveArtifact(key, { kind: "x", payload: 1, ts }))]).toEqual([
          ts,
          "bad_argument",
        ]);
      for (const limit of [0, 1_001])
        expect(await codeOf(store.recent(key, { kinds: ["x"], limit }))).toBe("bad_argument");
    });

    it("returns not_found for invalid ids", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const ids = [
        "",
        "saved:1",
        "saved:x",
        "saved:-1",
        "saved:1e9",
        "turn.log:",
        "conv.range.summary:0",
        "__proto__",
        "\ud800",
      ];
      for (const id of ids) expect(await codeOf(store.getArtifact(key, id))).toBe("not_found");
    });
  });

  describe("turns", () => {
    const bench = useStore(open);

    it("returns every turn as its user sees it, oldest first, also before a compaction", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      writer.timeline.mergeSources([{ url: "https://example.com/1", title: "Cited" }]);
      const at = { turn: "turn_1", call: "tc_1" };
      const file = make.file(at, { name: "r.md", mime: "text/markdown", text: "report" });
      await writer.turn("turn_1", "one", "see [[S:1]]", ...file);
      await writer.turn("turn_2", "two", "answer", make.followups("turn_2", ["more?"]));
      writer.timeline.openTurn("turn_3");
      await writer.contribute(make.prompt("turn_3", "three"));
      const views = ["turn_1", "turn_2", "turn_3"].map((turn) => turnArtifacts(writer.timeline.state, turn));
      await compactAll(writer, "turn_3");
      const { items, next } = await store.turns(key);
      expect(next).toBeNull();
      expect(items.map((turn) => turn.view)).toEqual(views);
      expect(items.map((turn) => turn.exit)).toEqual(["complete", "complete", null]);
      expect(items[2]).toMatchObject({ closed_seq: null, closed_at: null });
      expect(await store.getConversation(key)).toMatchObject({ turns: 3, open_turn: "turn_3" });
      const [first] = items;
      const [opened] = await store.readEvents(key, { after: (first?.opened_seq ?? 0) - 1, limit: 1 });
      const [closed] = await store.readEvents(key, { after: (first?.closed_seq ?? 0) - 1, limit: 1 });
      expect([opened?.event.kind, closed?.event.kind]).toEqual(["turn.opened", "turn.closed"]);
      expect(opened?.event.body).toMatchObject({ ts: first?.opened_at });
    });

    it("returns the journal of any turns alone: folded, it shows those turns as the whole journal does", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      expect(await store.readTurns(key)).toEqual({ first: 1, last: 0, seq: 0, highest_sid: 0, events: [] });
      for (let n = 1; n <= 5; n++) await writer.turn(`turn_${n}`, `prompt ${n}`, `answer ${n}`);
      await writer.contribute(make.result({ turn: "turn_2", call: "tc_late" }, "late"));
      await store.append(key, [
        makeEvent("feedback.received", { key: "f", turn_id: "turn_1", reaction: "up", ts: TS }),
      ]);
      const { nextPosition: position } = writer.timeline.state;
      const covered = { covered_turn_ids: ["turn_1", "turn_2"] };
      const summary = { type: "conv.range.summary", turn_id: "turn_5", text: "s", meta: covered };
      await writer.append(
        makeEvent("compaction.committed", { cut: position, position, summary, tokens: 1, version: 1 }),
      );
      const all = await store.readEvents(key);
      const whole = viewEvents(all, emptyView()).turns;
      for (const [before, limit] of [
        [undefined, 2],
        [undefined, 20],
        [6, 3],
        [3, 1],
        [3, 2],
        [2, 5],
        [100, 1],
      ] as const) {
        const page = await store.readTurns(key, { limit, ...(before === undefined ? {} : { before }) });
        const start = emptyView({
          seq: (page.events[0]?.seq ?? 1) - 1,
          earlier: page.first - 1,
          highestSid: page.highest_sid,
        });
        const shown = viewEvents(page.events, start).turns;
        expect(shown).toEqual(whole.slice(page.first - 1, page.last));
        expect(shown.length).toBe(Math.min(limit, Math.min(5, (before ?? 6) - 1)));
        expect(page.seq).toBe(all.length);
      }
      expect((await store.readTurns(key, { before: 3, limit: 1 })).events.length).toBeLessThan(all.length / 2);
      expect(await store.readTurns(key, { before: 1 })).toMatchObject({ last: 0, events: [] });
      expect(await codeOf(store.readTurns(key, { before: 0 }))).toBe("bad_argument");
      expect(await codeOf(store.readTurns(key, { limit: 0 }))).toBe("bad_argument");
    });

    it("a page of the journal has as many of the last turns as fit, and at least one", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      for (let n = 1; n <= 6; n++) await writer.turn(`turn_${n}`, "ä".repeat(400 * n), "answer");
      for (const before of [7, 4, 2]) {
        const pageOf = (limit: number, maxBytes: number) => store.readTurns(key, { before, limit, maxBytes });
        for (const maxBytes of [1, 3_000, 8_000, 100_000]) {
          const page = await pageOf(20, maxBytes);
          expect(page.last).toBe(before - 1);
          expect(page).toEqual(await store.readTurns(key, { before, limit: page.last - page.first + 1 }));
          if (page.first < page.last) expect(bytesOfEvents(page)).toBeLessThanOrEqual(maxBytes);
          const more = await store.readTurns(key, { before, limit: page.last - page.first + 2 });
          if (page.first > 1) expect(bytesOfEvents(more)).toBeGreaterThan(maxBytes);
        }
        expect((await pageOf(2, 100_000)).first).toBe(Math.max(1, before - 2));
        expect((await pageOf(20, 1)).first).toBe(before - 1);
      }
    });

    it("a page of the journal counts later events about its turns", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      for (let n = 1; n <= 6; n++) await writer.turn(`turn_${n}`, "ä".repeat(400), "answer");
      const { nextPosition } = (await store.load(key)).state;
      const late = (nth: number, turn_id: string) =>
        appendBlock(nextPosition + nth, { type: "x.note", turn_id, text: "late".repeat(1_000) });
      await writer.append(late(0, "turn_2"), late(1, "turn_4"));
      await store.append(key, [
        makeEvent("feedback.received", {
          key: "f",
          turn_id: "turn_1",
          reaction: "ok",
          text: "x".repeat(1_000),
          ts: TS,
        }),
      ]);
      const firsts = new Set<number>();
      for (const maxBytes of [1, 2_500, 4_000, 8_000, 9_500, 11_000, 13_000, 100_000]) {
        const page = await store.readTurns(key, { before: 6, limit: 20, maxBytes });
        if (page.first < page.last) expect(bytesOfEvents(page)).toBeLessThanOrEqual(maxBytes);
        const more = await store.readTurns(key, { before: 6, limit: page.last - page.first + 2 });
        if (page.first > 1) expect(bytesOfEvents(more)).toBeGreaterThan(maxBytes);
        firsts.add(page.first);
      }
      expect(firsts.size).toBeGreaterThan(3);
    });

    it("pages", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      for (let n = 1; n <= 5; n++) await writer.turn(`turn_${n}`, "p", "a");
      const first = await store.turns(key, { limit: 3 });
      expect(first.items.map((turn) => turn.turn_id)).toEqual(["turn_1", "turn_2", "turn_3"]);
      const rest = await store.turns(key, { limit: 3, cursor: first.next ?? "" });
      expect(rest.items.map((turn) => turn.turn_id)).toEqual(["turn_4", "turn_5"]);
      expect(rest.next).toBeNull();
      expect(await codeOf(store.turns(key, { cursor: "nonsense" }))).toBe("bad_argument");
    });

    it("returns turns with any id, and their logs, even for an id that no path can hold", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const ids = ["late", "turn 1", "../turn_1", "\0", "\ud800", "turn_1@v2", "日本", "x".repeat(5_000)];
      for (const [position, turn_id] of ids.entries())
        await writer.append(
          makeEvent("turn.opened", { turn_id, ts: TS }),
          appendBlock(position, { type: "user.prompt", turn_id, text: "hi" }),
          makeEvent("turn.closed", { turn_id, ts: TS, exit: "complete" }),
        );
      expect((await store.turns(key)).items.map((turn) => turn.turn_id)).toEqual(ids);
      expect(await store.recent(key, { kinds: ["turn.log"] })).toHaveLength(ids.length);
      for (const id of ids) expect((await store.getArtifact(key, `turn.log:${id}`)).turn_id).toBe(id);
      expect((await store.load(key)).state.turnIds).toEqual(ids);
      expect(await store.verifyConversation(key)).toEqual([]);
    });

    it("returns turns whose closing event carries an invalid announcement", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      for (const [nth, announced] of [null, 1, "x", [], {}, { type: "" }, { type: "a", text: 1 }].entries())
        await writer.append(
          makeEvent("turn.opened", { turn_id: `turn_${nth}`, ts: TS }),
          makeEvent("turn.closed", { turn_id: `turn_${nth}`, ts: TS, exit: "complete", announced }),
        );
      expect((await store.turns(key)).items).toHaveLength(7);
      expect(await store.recent(key, { kinds: ["turn.log"] })).toHaveLength(7);
    });

    it("is empty for a conversation without turns", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await writer.append(setTitle("x"), appendBlock(0, { type: "system.message", text: "hi" }));
      expect(await store.turns(key)).toEqual({ items: [], next: null });
      expect(snapshotState((await store.load(key)).state).turn_ids).toEqual([]);
    });
  });
}

/** Replaces all blocks with a summary. */
async function compactAll(writer: Writer, turnId: string): Promise<void> {
  const { nextPosition: position } = writer.timeline.state;
  const path = `su:${turnId}.conv.range.summary`;
  const summary = { type: "conv.range.summary", turn_id: turnId, path, text: "s", ts: TS };
  await writer.append(makeEvent("compaction.committed", { cut: position, position, summary, tokens: 1, version: 1 }));
}

function bytesOfEvents({ events }: TurnPage): number {
  return events.reduce((sum, { event }) => sum + Buffer.byteLength(JSON.stringify(event.body)), 0);
}

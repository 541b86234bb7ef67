/** Tests what may be appended and by whom, and that a refused batch has no effect. */
import { encodeEvent, foldEvents, makeEvent, type TimelineEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { make } from "../../conversation/index.ts";
import { bytesOf, codeOf, type OpenStore, plain, useStore } from "./opened-store.ts";
import { appendBlob, appendBlock, receiveInput, setTitle, TS, Writer } from "./writer.ts";

export function appendingSuite(open: OpenStore): void {
  describe("appending", () => {
    const bench = useStore(open);

    it("gives consecutive seqs from 1 to a batch, and the next batch continues", async () => {
      const { store, newKey } = bench();
      const writer = await Writer.create(store, newKey());
      expect(await writer.append(setTitle("a"), setTitle("b"))).toEqual({
        seqs: [1, 2],
        lastSeq: 2,
        lastTimelineSeq: 2,
      });
      expect(await writer.append(receiveInput("k"), setTitle("c"), receiveInput("l"))).toEqual({
        seqs: [3, 4, 5],
        lastSeq: 5,
        lastTimelineSeq: 4,
      });
    });

    it("returns events as they were sent, including unknown kinds and fields", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const events: TimelineEvent[] = [
        makeEvent("meta.set", { conversation_title: "T", later: { __proto__: null, deep: [1, [2, ["\ud800"]]] } }),
        { kind: "x.new", v: 3, body: { a: 1, blobs: ["x"] }, unknown: true },
        { kind: "x.scalar", v: 1, body: "text", unknown: true },
        { kind: "x.null", v: 1, body: null, unknown: true },
        appendBlock(0, { type: "never.heard", text: "\u0000\ud83d", meta: { constructor: 1 } }),
      ];
      await writer.append(...events);
      const stored = await store.readEvents(key);
      expect(stored.map((each) => each.seq)).toEqual([1, 2, 3, 4, 5]);
      expect(stored.every((each) => each.stored_at === clock.now())).toBe(true);
      expect(stored.map((each) => JSON.stringify(encodeEvent(each.event)))).toEqual(
        events.map((event) => JSON.stringify(encodeEvent(event))),
      );
    });

    it("appends all of a batch or nothing", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await writer.append(setTitle("before"));
      const bad = appendBlock(5, { type: "user.prompt", text: "out of place" });
      expect(await codeOf(writer.append(setTitle("after"), receiveInput("k"), bad))).toBe("bad_event");
      expect(await store.readEvents(key)).toHaveLength(1);
      const { state } = await store.load(key);
      expect(state.meta.conversation_title).toBe("before");
      expect(state.pendingInputs.size).toBe(0);
      expect((await writer.append(setTitle("after"))).seqs).toEqual([2]);
    });

    it("accepts inputs from anyone without a lease, even while a writer holds it", async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const stranger = await another();
      await stranger.append(key, [
        receiveInput("k"),
        makeEvent("cancel.requested", { key: "c", ts: TS }),
        makeEvent("approval.given", { key: "a", call_id: "tc_1", approve: true, ts: TS }),
        makeEvent("feedback.received", { key: "f", turn_id: "turn_1", reaction: "up", ts: TS }),
        makeEvent("order.changed", { key: "o", text: "Be brief.", closes: [], ts: TS }),
        makeEvent("title.given", { key: "t", title: "Mine", ts: TS }),
      ]);
      await stranger.close();
      await writer.append(setTitle("goes on, for inputs do not move its position"));
      const { state } = await store.load(key);
      const { pendingFeedback, pendingInputs, pendingOrders } = state;
      expect([...pendingInputs.keys(), ...pendingFeedback.keys(), ...pendingOrders.keys()]).toEqual(["k", "f", "o"]);
    });

    it("lists the title that takes precedence among those of people and the agent", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const titles: (string | null)[] = [];
      const give = async (nth: number, title: string, more: { readonly replaces?: string | null } = {}) => {
        const event = makeEvent("title.given", { key: `t${nth}`, title, ts: TS, ...more });
        // The titles that the agent gives are part of the batches of its turn.
        await (more.replaces === undefined ? store.append(key, [event]) : writer.append(event));
        const { title: listed } = await store.getConversation(key);
        expect((await store.load(key)).state.meta.conversation_title).toBe(listed);
        titles.push(listed);
      };
      await give(1, "half \ud800", { replaces: null });
      await give(2, "found", { replaces: "half \ud800" });
      await give(3, "mine");
      await give(4, "found later", { replaces: "found" });
      await give(3, "the same key again");
      await give(5, "mine after all");
      expect(titles).toEqual(["half \ud800", "found", "mine", "mine", "mine", "mine after all"]);
      await store.fork(key, (await store.getConversation(key)).last_seq, `${key.conversation}-fork`);
      const fork = { ...key, conversation: `${key.conversation}-fork` };
      expect((await store.getConversation(fork)).title).toBe("mine after all");
    });

    it("appends an input once, however often it is sent, by kind and key", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const first = await store.append(key, [receiveInput("k", "first")]);
      const again = await store.append(key, [receiveInput("k", "second"), receiveInput("m"), receiveInput("m")]);
      expect(again.seqs).toEqual([first.lastSeq, 2, 2]);
      const feedback = makeEvent("feedback.received", { key: "k", turn_id: "t", reaction: "up", ts: TS });
      expect((await store.append(key, [feedback])).seqs).toEqual([3]);
      expect((await store.append(key, [receiveInput("m")])).lastSeq).toBe(3);
      expect((await store.load(key)).state.pendingInputs.get("k")?.message).toBe("first");
    });

    it("appends the release of a turn once, in one batch or several", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const release = (name: string, turn = "t") => makeEvent("turn.released", { key: name, turn_id: turn, ts: TS });
      expect((await store.append(key, [release("k"), release("k"), release("m")])).seqs).toEqual([1, 1, 2]);
      const again = await store.append(key, [release("m", "other"), receiveInput("k"), release("k")]);
      expect(again).toMatchObject({ seqs: [2, 3, 1], lastSeq: 3 });
      const other = newKey();
      await store.createConversation(other);
      expect((await store.append(other, [release("k")])).seqs).toEqual([1]);
      expect(await store.verifyConversation(key)).toEqual([]);
    });

    it("remembers an input's key after it was promoted", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await store.append(key, [receiveInput("k")]);
      await writer.append(makeEvent("input.promoted", { key: "k", turn_id: "turn_1" }));
      expect((await store.append(key, [receiveInput("k")])).seqs).toEqual([1]);
      expect((await store.load(key)).state.pendingInputs.size).toBe(0);
    });

    it("keeps similar keys distinct", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const keys = [
        "a",
        "A",
        "a ",
        "ä",
        "a\u0308",
        "",
        "a\0",
        "a\0b",
        "\ud800",
        "\ud801",
        "__proto__",
        "k".repeat(10_000),
      ];
      const seqs: number[] = [];
      for (const each of keys) seqs.push(...(await store.append(key, [receiveInput(each)])).seqs);
      expect(seqs).toEqual(keys.map((_, index) => index + 1));
      expect(
        (
          await store.append(
            key,
            keys.map((each) => receiveInput(each)),
          )
        ).seqs,
      ).toEqual(seqs);
    });

    it("refuses timeline events without a lease, of unknown kinds too", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      expect(await codeOf(store.append(key, [setTitle("x")]))).toBe("lease_required");
      expect(await codeOf(store.append(key, [{ kind: "x.new", v: 1, body: {}, unknown: true }]))).toBe(
        "lease_required",
      );
      expect(await codeOf(store.append(key, [receiveInput("k"), setTitle("x")]))).toBe("lease_required");
      expect((await store.getConversation(key)).last_seq).toBe(0);
    });

    it("returns conflict to a lease holder that expects a different last timeline event", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await writer.append(setTitle("one"));
      const { token } = writer.lease;
      for (const expectedSeq of [0, 2, -1])
        expect(await codeOf(store.append(key, [setTitle("x")], { lease: { token, expectedSeq } }))).toBe("conflict");
      expect((await store.getConversation(key)).title).toBe("one");
    });

    it("checks the token before the position", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const { lease } = await Writer.create(store, key);
      const wrong = { token: lease.token + 1_000, expectedSeq: 99 };
      expect(await codeOf(store.append(key, [setTitle("x")], { lease: wrong }))).toBe("lease_lost");
    });

    it("refuses invalid bodies, positions that do not continue, and values that JSON cannot hold", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await writer.contribute(make.prompt("turn_1", "hi"));
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      const bad = [
        { kind: "turn.opened", v: 1, body: { turn_id: 7, ts: TS } },
        { kind: "turn.opened", v: 1, body: null },
        { kind: "block.appended", v: 1, body: { position: 1, block: { type: "" }, tokens: 0, version: 0 } },
        { kind: "block.appended", v: 1, body: { position: 1, block: { type: "x", text: 7 }, tokens: 0, version: 0 } },
        appendBlock(0, { type: "user.prompt" }),
        appendBlock(2, { type: "user.prompt" }),
        { kind: 7, v: 1, body: {} },
        { kind: "x.new", v: 0, body: {}, unknown: true },
        { kind: "x.new", v: 1.5, body: {}, unknown: true },
        { kind: "x.new", v: 1, body: circular, unknown: true },
        { kind: "x.new", v: 1, body: 1n, unknown: true },
      ] as unknown as TimelineEvent[];
      const codes: string[] = [];
      for (const event of bad) codes.push(await codeOf(writer.append(event)));
      expect(codes.filter((code) => code !== "bad_event")).toEqual([]);
      expect((await store.getConversation(key)).last_seq).toBe(writer.lastSeq);
    });

    it("stores a kind with half of a surrogate pair, or refuses it, and stays readable", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      for (const kind of ["x.\ud800", "x.\ud801", "x.\0", "x.\uffff", "__proto__", ""]) {
        const sent = await writer.append({ kind, v: 1, body: kind, unknown: true }).catch((error) => error.code);
        if (sent === "bad_event") continue;
        const [stored] = await store.readEvents(key, { after: sent.lastSeq - 1 });
        expect(stored?.event).toMatchObject({ kind, body: kind });
      }
      await store.load(key);
      expect(await store.verifyConversation(key)).toEqual([]);
    });

    it("refuses an event of a known kind and a newer version", async () => {
      const { store, newKey } = bench();
      const writer = await Writer.create(store, newKey());
      const newer = { kind: "meta.set", v: 2, body: {} } as unknown as TimelineEvent;
      expect(["bad_event", "newer_version"]).toContain(await codeOf(writer.append(newer)));
    });

    it("refuses an event that names bytes this conversation has not stored", async () => {
      const { store, newKey } = bench();
      const [key, other] = [newKey(), newKey()];
      const writer = await Writer.create(store, key);
      await store.createConversation(other);
      const bytes = new TextEncoder().encode("elsewhere");
      const { ref } = await store.putBlob(other, [bytes]);
      expect(await codeOf(writer.append(appendBlob(0, ref)))).toBe("blob_missing");
      expect((await store.getConversation(key)).last_seq).toBe(0);
      await store.putBlob(key, [bytes]);
      await writer.append(appendBlob(0, ref));
      expect(await bytesOf(store.readBlob(key, ref))).toEqual(bytes);
    });

    it("appends nothing for an empty batch", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await writer.append(setTitle("x"));
      expect(await store.append(key, [])).toEqual({ seqs: [], lastSeq: 1, lastTimelineSeq: 1 });
    });

    it("keeps its own copy of what was sent", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const body = { conversation_title: "as sent" };
      const sending = writer.append(makeEvent("meta.set", body));
      body.conversation_title = "changed while it was sent or later";
      await sending;
      const [stored] = await store.readEvents(key);
      expect(JSON.stringify(stored?.event.body)).toMatch(/as sent|while it was sent/);
      const before = JSON.stringify(stored);
      body.conversation_title = "changed again";
      expect(JSON.stringify((await store.readEvents(key))[0])).toBe(before);
    });

    it("holds batches of a thousand events and bodies of a million characters", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const events = Array.from({ length: 1_000 }, (_, n) => appendBlock(n, make.prompt("turn_1", `p${n}`)));
      await writer.append(...events);
      const long = "日本 \ud83d\ude00 \u0000 \ud800 x".repeat(70_000);
      const huge = appendBlock(1_000, make.prompt("turn_2", long));
      await writer.append(huge);
      const { state } = await store.load(key);
      expect(plain(state)).toEqual(plain(foldEvents([...events, huge])));
    });

    it("assigns consecutive seqs to simultaneous appends", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) => store.append(key, [receiveInput(`a${n}`), receiveInput(`b${n}`)])),
      );
      const seqs = answers.flatMap((answer) => answer.seqs);
      expect([...seqs].sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, n) => n + 1));
      for (const { seqs } of answers) expect((seqs[1] ?? 0) - (seqs[0] ?? 0)).toBe(1);
    });
  });
}

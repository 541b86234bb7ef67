/** Tests that conversations are created, listed and deleted without leaving a trace. */
import { describe, expect, it } from "vitest";
import { codeOf, collect, notJson, type OpenStore, useStore } from "./opened-store.ts";
import { receiveInput, setTitle, Writer } from "./writer.ts";

export function lifecycleSuite(open: OpenStore): void {
  describe("making, listing and deleting conversations", () => {
    const bench = useStore(open);

    it("returns the attributes the creator gave, with all counts at zero", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      const attributes = { agent: "a", nested: { list: [1, "ü", null] }, constructor: "x" };
      const made = await store.createConversation(key, { attributes });
      const expected = {
        conversation: key.conversation,
        title: null,
        attributes,
        created_at: clock.now(),
        last_activity_at: clock.now(),
        last_seq: 0,
        last_timeline_seq: 0,
        turns: 0,
        open_turn: null,
        forked_from: null,
        listed: true,
      };
      expect(made).toEqual(expected);
      expect(await store.getConversation(key)).toEqual(expected);
    });

    it("refuses attributes that are not a JSON object", async () => {
      const { store, newKey } = bench();
      for (const attributes of [[], 1, "x", { a: 1n }, { a: notJson().at(4) }]) {
        const key = newKey();
        expect(await codeOf(store.createConversation(key, { attributes: attributes as never }))).toBe("bad_argument");
        expect(await codeOf(store.getConversation(key))).toBe("not_found");
      }
    });

    it("stores first events with the conversation, without a lease", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const made = await store.createConversation(key, { events: [setTitle("One"), receiveInput("k")] });
      expect(made).toMatchObject({ title: "One", last_seq: 2, last_timeline_seq: 1 });
      expect((await store.load(key)).state.pendingInputs.size).toBe(1);
    });

    it("makes nothing when the first events are not valid", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const bad = { kind: "meta.set", v: 1, body: { conversation_title: 7 } } as unknown as ReturnType<typeof setTitle>;
      expect(await codeOf(store.createConversation(key, { events: [setTitle("x"), bad] }))).toBe("bad_event");
      expect(await codeOf(store.getConversation(key))).toBe("not_found");
    });

    it("refuses a second conversation with the same id and leaves the first unchanged", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key, { events: [setTitle("first")] });
      expect(await codeOf(store.createConversation(key))).toBe("conversation_exists");
      expect((await store.getConversation(key)).title).toBe("first");
    });

    it("updates the title, the turns and the activity", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      clock.tick(1_000);
      await writer.turn("turn_1", "hi", "hello");
      await writer.append(setTitle("A"), setTitle("B"));
      const { lastSeq } = await store.append(key, [receiveInput("k")]);
      const info = await store.getConversation(key);
      expect(info).toMatchObject({ title: "B", turns: 1, last_activity_at: clock.now(), last_seq: lastSeq });
      expect(info.created_at).toBe(clock.now() - 1_000);
      expect(info.last_timeline_seq).toBe(lastSeq - 1);
    });

    it("lists the most recently active first, page by page, each once", async () => {
      const { store, newKey, clock } = bench();
      const scope = { tenant: "lists", project: "p", user: "u" };
      const keys = Array.from({ length: 7 }, () => newKey(scope));
      for (const key of keys) {
        clock.tick();
        await store.createConversation(key);
      }
      clock.tick();
      await store.append(keys[2] ?? newKey(), [receiveInput("wake")]);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.listConversations(scope, { limit: 3, ...(cursor === undefined ? {} : { cursor }) });
        expect(page.items.length).toBeLessThanOrEqual(3);
        seen.push(...page.items.map((info) => info.conversation));
        cursor = page.next ?? undefined;
      } while (cursor !== undefined);
      const order = [2, 6, 5, 4, 3, 1, 0].map((at) => keys[at]?.conversation);
      expect(seen).toEqual(order);
    });

    it("lists conversations of the same moment without losing or repeating any", async () => {
      const { store, newKey } = bench();
      const scope = { tenant: "moment", project: "p", user: "u" };
      const made = new Set<string>();
      for (let i = 0; i < 5; i++) made.add((await store.createConversation(newKey(scope))).conversation);
      const seen: string[] = [];
      let next: string | null = "";
      while (next !== null) {
        const page: Awaited<ReturnType<typeof store.listConversations>> = await store.listConversations(scope, {
          limit: 2,
          ...(next === "" ? {} : { cursor: next }),
        });
        seen.push(...page.items.map((info) => info.conversation));
        next = page.next;
      }
      expect(seen).toHaveLength(5);
      expect(new Set(seen)).toEqual(made);
    });

    it("returns an empty page for an unused scope", async () => {
      const { store } = bench();
      const page = await store.listConversations({ tenant: "nobody", project: "p", user: "u" });
      expect(page).toEqual({ items: [], next: null });
    });

    it("refuses invalid limits and cursors", async () => {
      const { store, newKey } = bench();
      for (const limit of [0, -1, 1_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        expect(await codeOf(store.listConversations(newKey(), { limit }))).toBe("bad_argument");
      for (const cursor of ["", "x", "🙂", "'; DROP TABLE", "\0", "e30="])
        expect(await codeOf(store.listConversations(newKey(), { cursor }))).toBe("bad_argument");
    });

    it("returns not_found for every call on a conversation that does not exist", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const ref = `sha256:${"0".repeat(64)}` as const;
      const calls = [
        store.getConversation(key),
        store.deleteConversation(key),
        store.append(key, [receiveInput("k")]),
        store.append(key, [setTitle("x")], { lease: { token: 1, expectedSeq: 0 } }),
        store.acquireLease(key, "w", 1_000),
        store.renewLease(key, 1, 1_000),
        store.load(key),
        store.stateAt(key, 0),
        store.readEvents(key),
        store.follow(key),
        store.saveArtifact(key, { kind: "x", payload: 1 }),
        store.getArtifact(key, "saved:1"),
        store.recent(key, { kinds: ["x"] }),
        store.findByPath(key, "ar:turn_1.user.prompt"),
        store.turns(key),
        store.fork(key, 0, "other"),
        store.exportConversation(key),
        store.putBlob(key, [new Uint8Array(1)]),
        store.readBlob(key, ref),
        store.statBlob(key, ref),
        store.appendStream(key, { token: 1, stream: "s", offset: 0, text: "x" }),
        store.dropStream(key, { token: 1, stream: "s" }),
        store.openStreams(key),
        store.verifyConversation(key),
      ];
      expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => "not_found"));
    });

    it("forgets a deleted conversation completely, so that its id can be reused", async () => {
      const { store, newKey } = bench();
      const key = newKey({ tenant: "deletes" });
      const writer = await Writer.create(store, key);
      await writer.turn("turn_1", "zebra", "quagga");
      await store.saveArtifact(key, { kind: "x", payload: 1 });
      await store.appendStream(key, { token: writer.lease.token, stream: "s", offset: 0, text: "live" });
      await store.deleteConversation(key);
      expect(await codeOf(store.load(key))).toBe("not_found");
      expect((await store.search(key, "zebra")).items).toEqual([]);
      expect((await store.listConversations(key)).items).toEqual([]);
      const again = await store.createConversation(key);
      expect(again).toMatchObject({ last_seq: 0, title: null, turns: 0 });
      expect(await store.recent(key, { kinds: ["x"] })).toEqual([]);
      expect(await store.openStreams(key)).toEqual([]);
      expect(await store.findByPath(key, "ar:turn_1.user.prompt")).toBeNull();
      expect(await collect(store.verify())).toEqual([]);
    });

    it("does not let the writer of a deleted conversation write into its successor", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const stale = await Writer.create(store, key);
      await store.deleteConversation(key);
      const fresh = await Writer.create(store, key);
      expect(fresh.lease.token).not.toBe(stale.lease.token);
      expect(await codeOf(stale.append(setTitle("stale")))).toBe("lease_lost");
      await fresh.append(setTitle("fresh"));
      expect((await store.getConversation(key)).title).toBe("fresh");
    });

    it("has no effect when a call was aborted before it began", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const signal = AbortSignal.abort(new Error("enough"));
      await expect(store.createConversation(key, { signal })).rejects.toThrow("enough");
      expect(await codeOf(store.getConversation(key))).toBe("not_found");
      await store.createConversation(key);
      await expect(store.append(key, [receiveInput("k")], { signal })).rejects.toThrow("enough");
      await expect(store.load(key, { signal })).rejects.toThrow("enough");
      expect((await store.getConversation(key)).last_seq).toBe(0);
    });

    it("throws the signal's reason from every call that can take long", async () => {
      const { store, newKey, newFolder } = bench();
      const key = newKey();
      await store.createConversation(key, { events: [receiveInput("k")] });
      const file = await collect(store.exportConversation(key));
      const options = { signal: AbortSignal.abort(new Error("enough")) };
      const other = newKey();
      const calls: (() => Promise<unknown>)[] = [
        () => store.getConversation(key, options),
        () => store.listConversations(key, options),
        () => store.deleteConversation(key, options),
        () => store.acquireLease(key, "w", 1_000, options),
        () => store.stateAt(key, 1, options),
        () => store.readEvents(key, options),
        () => store.saveArtifact(key, { kind: "x", payload: 1 }, options),
        () => store.recent(key, { kinds: ["turn.log"], ...options }),
        () => store.findByPath(key, "ar:turn_1.user.prompt", options),
        () => store.search(key, "word", options),
        () => store.turns(key, options),
        () => store.fork(key, 1, other.conversation, options),
        () => collect(store.exportConversation(key, options)),
        () => store.importConversation(other, file, options),
        () => store.putBlob(key, [new Uint8Array(1)], options),
        () => store.verifyConversation(key, options),
        () => store.gc(options),
        () => store.applyRetention({ idleMs: 0, ...options }),
        () => store.backup(newFolder(), options),
        () => collect(store.verify(options)),
      ];
      for (const [nth, call] of calls.entries())
        expect([
          nth,
          await call().then(
            () => "done",
            (error) => error.message,
          ),
        ]).toEqual([nth, "enough"]);
      expect((await store.load(key)).seq).toBe(1);
      expect(await codeOf(store.getConversation(other))).toBe("not_found");
      await store.acquireLease(key, "w", 1_000);
    });

    it("returns closed after close, and other handles continue to work", async () => {
      const { store, another, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const second = await another();
      await second.append(key, [receiveInput("k")]);
      await second.close();
      expect(await codeOf(second.load(key))).toBe("closed");
      expect(await codeOf(second.append(key, [receiveInput("l")]))).toBe("closed");
      expect(await codeOf(second.listConversations(key))).toBe("closed");
      await second.close();
      expect((await store.load(key)).seq).toBe(1);
    });
  });
}

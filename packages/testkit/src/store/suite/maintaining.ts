/** Tests maintenance beside readers and writers: unfinished work, gc, retention, backup and verify. */
import { type ConversationKey, scopeKey } from "@cairn/store";
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { blobRefOf } from "./journal-script.ts";
import { bytesOf, codeOf, collect, type OpenStore, plain, useStore } from "./opened-store.ts";
import { appendBlob, receiveInput, setTitle, Writer } from "./writer.ts";

const HOUR = 3_600_000;
const bytesFor = (text: string) => new TextEncoder().encode(text);

export function maintainingSuite(open: OpenStore): void {
  describe("quarantined", () => {
    const bench = useStore(open);

    it("lists quarantined turns of every scope, until they are released or deleted", async () => {
      const { store, newKey } = bench();
      const [first, second] = [newKey({ user: "ada" }), newKey({ tenant: "b" })];
      for (const key of [first, second]) {
        const writer = await Writer.create(store, key);
        for (const exit of ["complete", "quarantined", "quarantined"]) {
          writer.timeline.openTurn(`turn_${writer.lastSeq}`);
          writer.timeline.closeTurn(exit);
          await writer.append(...writer.timeline.takeEvents());
        }
      }
      const listed = async (key: ConversationKey) => {
        const all = await collect(store.quarantined());
        return all.filter((each) => scopeKey(each.key) === scopeKey(key)).map(({ turn_id }) => turn_id);
      };
      const [one = "", two = ""] = await listed(first);
      expect(await listed(second)).toHaveLength(2);
      const ts = "2026-02-09T10:00:00Z";
      await store.append(first, [makeEvent("turn.released", { key: "k", turn_id: one, ts })]);
      expect(await listed(first)).toEqual([two]);
      expect(await store.verifyConversation(first)).toEqual([]);
      await store.deleteConversation(first);
      expect(await listed(first)).toEqual([]);
      expect(await listed(second)).toHaveLength(2);
    });
  });

  describe("unfinished", () => {
    const bench = useStore(open);

    it("lists conversations of every scope that have an open turn or an unprocessed message, until they have neither", async () => {
      const { store, newKey } = bench();
      const [idle, open, asked, done] = [newKey(), newKey({ user: "ada" }), newKey({ tenant: "b" }), newKey()];
      await store.createConversation(idle);
      const listed = async () => {
        const found = [];
        for await (const { key } of store.unfinished()) found.push(key);
        return found.sort((a, b) => (scopeKey(a) < scopeKey(b) ? -1 : 1));
      };
      const sorted = (keys: readonly ConversationKey[]) =>
        keys.toSorted((a, b) => (scopeKey(a) < scopeKey(b) ? -1 : 1));
      const writer = await Writer.create(store, open);
      writer.timeline.openTurn("turn_1");
      await writer.append(...writer.timeline.takeEvents());
      await store.createConversation(asked);
      await store.append(asked, [receiveInput("k"), receiveInput("k2")]);
      const other = await Writer.create(store, done);
      await store.append(done, [receiveInput("k")]);
      await other.turn("turn_1", "p", "a");
      await other.append(makeEvent("input.promoted", { key: "k", turn_id: "turn_1" }));
      expect(await listed()).toEqual(sorted([open, asked]));
      const [held] = await collect(store.unfinished()).then((all) => all.filter(({ key }) => key.user === "ada"));
      expect(held?.last_seq).toBe(writer.lastSeq);
      expect(held?.held_ms).toBeGreaterThan(0);

      writer.timeline.closeTurn("complete");
      await writer.append(...writer.timeline.takeEvents());
      const fork = { ...asked, conversation: "a fork" };
      await store.fork(asked, 2, fork.conversation);
      expect(await listed()).toEqual(sorted([asked, fork]));
      await store.deleteConversation(fork);
      const lease = await store.acquireLease(asked, "w", 1_000);
      const promoted = ["k", "k2"].map((key) => makeEvent("input.promoted", { key, turn_id: "t" }));
      await store.append(asked, promoted, { lease: { token: lease.token, expectedSeq: lease.last_timeline_seq } });
      expect(await listed()).toEqual([]);
      expect(await collect(store.verify())).toEqual([]);
    });

    it("can be limited to some conversations, and says how long each is leased", async () => {
      const { store, newKey, clock } = bench();
      const [idle, held, asked, another] = [newKey(), newKey(), newKey({ user: "\u0000 ☃" }), newKey()];
      for (const key of [idle, held, asked, another]) await store.createConversation(key);
      for (const key of [held, asked, another]) await store.append(key, [receiveInput("k")]);
      await store.acquireLease(held, "w", 1_000);
      const found = async (among: readonly ConversationKey[]) => {
        const all = await collect(store.unfinished({ among }));
        return new Map(all.map(({ key, last_seq, held_ms }) => [scopeKey(key), { last_seq, held: held_ms > 0 }]));
      };
      const crowd = Array.from({ length: 120 }, (_, nth) => ({ ...idle, conversation: `nobody ${nth}` }));
      const isHeld = [scopeKey(held), { last_seq: 1, held: true }] as const;
      const isFree = [scopeKey(asked), { last_seq: 1, held: false }] as const;
      const both = new Map<string, { last_seq: number; held: boolean }>([isHeld, isFree]);
      expect(await found([idle, held, asked])).toEqual(both);
      expect(await found([held, ...crowd, asked])).toEqual(both);
      expect(await found([asked])).toEqual(new Map([isFree]));
      expect(await found([])).toEqual(new Map());
      clock.tick(2_000);
      expect((await found([held])).get(scopeKey(held))).toEqual({ last_seq: 1, held: false });
    });
  });

  describe("gc", () => {
    const bench = useStore(open);

    it("removes the bytes of a deleted conversation after an hour, and no sooner", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const bytes = bytesFor("to be deleted");
      const { ref } = await store.putBlob(key, [bytes]);
      await writer.append(appendBlob(0, ref));
      clock.tick(2 * HOUR);
      await store.deleteConversation(key);
      expect(await store.gc()).toMatchObject({ blobs: 0, bytes: 0 });
      clock.tick(HOUR - 1_000);
      expect(await store.gc()).toMatchObject({ blobs: 0 });
      clock.tick(2_000);
      expect(await store.gc()).toMatchObject({ blobs: 1, bytes: bytes.length });
      expect(await store.gc()).toMatchObject({ blobs: 0, bytes: 0, references: 0 });
    });

    it("keeps bytes that any conversation still refers to, in every scope", async () => {
      const { store, newKey, clock } = bench();
      const bytes = bytesFor("referred to twice");
      const keys = [newKey(), newKey({ user: "another" }), newKey({ tenant: "another" })];
      for (const key of keys) {
        const writer = await Writer.create(store, key);
        const { ref } = await store.putBlob(key, [bytes]);
        await writer.append(appendBlob(0, ref));
      }
      const [first, ...others] = keys;
      if (first !== undefined) await store.deleteConversation(first);
      clock.tick(2 * HOUR);
      await store.gc();
      for (const key of others) {
        expect(await bytesOf(store.readBlob(key, blobRefOf(bytes)))).toEqual(bytes);
      }
      expect(await collect(store.verify())).toEqual([]);
    });

    it("drops a reference that no event named within an hour, and then its bytes", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const { ref } = await store.putBlob(key, [bytesFor("never named")]);
      clock.tick(HOUR / 2);
      expect(await store.gc()).toMatchObject({ references: 0, blobs: 0 });
      expect(await store.statBlob(key, ref)).not.toBeNull();
      clock.tick(HOUR);
      const swept = [await store.gc()];
      clock.tick(2 * HOUR);
      swept.push(await store.gc());
      expect(swept.reduce((sum, report) => sum + report.references, 0)).toBe(1);
      expect(swept.reduce((sum, report) => sum + report.blobs, 0)).toBe(1);
      expect(await store.statBlob(key, ref)).toBeNull();
      expect(await codeOf(writer.append(appendBlob(0, ref)))).toBe("blob_missing");
      await store.putBlob(key, [bytesFor("never named")]);
      await writer.append(appendBlob(0, ref));
      clock.tick(2 * HOUR);
      await store.gc();
      expect(await store.statBlob(key, ref)).not.toBeNull();
    });

    it("restarts the hour when bytes are stored again", async () => {
      const { store, newKey, clock } = bench();
      const key = newKey();
      await store.createConversation(key);
      const { ref } = await store.putBlob(key, [bytesFor("put again")]);
      clock.tick(HOUR - 1_000);
      await store.putBlob(key, [bytesFor("put again")]);
      clock.tick(2_000);
      await store.gc();
      expect(await bytesOf(store.readBlob(key, ref))).toEqual(bytesFor("put again"));
    });

    it("may run beside writers: bytes that an event names are never lost", async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const sweeper = await another();
      let sweeping = true;
      const sweeps = (async () => {
        while (sweeping) await sweeper.gc({ graceMs: 0 });
      })();
      const named = new Map<`sha256:${string}`, Uint8Array>();
      for (let n = 0; n < 25; n++) {
        const bytes = bytesFor(`contended ${n}`);
        const { ref } = await store.putBlob(key, [bytes]);
        const appended = await writer.append(appendBlob(named.size, ref)).catch((error) => error.code);
        if (appended === "blob_missing") continue;
        named.set(ref, bytes);
      }
      sweeping = false;
      await sweeps;
      await sweeper.close();
      for (const [ref, bytes] of named) expect(await bytesOf(store.readBlob(key, ref))).toEqual(bytes);
      expect(await store.verifyConversation(key)).toEqual([]);
    });
  });

  describe("retention", () => {
    const bench = useStore(open);

    it("deletes conversations that have been idle for long, of all scopes or of matching ones", async () => {
      const { store, newKey, clock } = bench();
      const old = [newKey({ tenant: "a" }), newKey({ tenant: "a", user: "v" }), newKey({ tenant: "b" })];
      for (const key of old) await store.createConversation(key);
      const woken = newKey({ tenant: "a" });
      await store.createConversation(woken);
      clock.tick(10 * HOUR);
      await store.append(woken, [receiveInput("k")]);
      const fresh = newKey({ tenant: "b" });
      await store.createConversation(fresh);
      expect(await store.applyRetention({ idleMs: 20 * HOUR })).toBe(0);
      expect(await store.applyRetention({ idleMs: HOUR, scope: { tenant: "a", user: "v" } })).toBe(1);
      expect(await store.applyRetention({ idleMs: HOUR, scope: { tenant: "nobody" } })).toBe(0);
      expect(await store.applyRetention({ idleMs: HOUR })).toBe(2);
      for (const key of old) expect(await codeOf(store.getConversation(key))).toBe("not_found");
      for (const key of [woken, fresh]) await store.getConversation(key);
    });
  });

  describe("backup and verify", () => {
    const bench = useStore(open);

    it("copies the store as it is at one moment, and the copy opens", async () => {
      const { store, newKey, newFolder, openBackup } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const { ref } = await store.putBlob(key, [bytesFor("backed up")]);
      await writer.append(appendBlob(0, ref), setTitle("then"));
      await store.saveArtifact(key, { kind: "report", payload: 1 });
      const then = plain((await store.load(key)).state);
      const folder = newFolder();
      const backing = store.backup(folder);
      await writer.append(setTitle("meanwhile"));
      await backing;
      await writer.append(setTitle("later"));
      await store.deleteConversation(key);
      await store.gc({ graceMs: 0 });
      const copy = await openBackup(folder);
      const { state, seq } = await copy.load(key);
      expect([2, 3]).toContain(seq);
      if (seq === 2) expect(plain(state)).toEqual(then);
      expect(await bytesOf(copy.readBlob(key, ref))).toEqual(bytesFor("backed up"));
      expect(await copy.recent(key, { kinds: ["report"] })).toHaveLength(1);
      expect(await collect(copy.verify())).toEqual([]);
      await copy.close();
    });

    it("accepts inputs while a backup runs, and the copy is complete", async () => {
      const { store, newKey, newFolder, openBackup } = bench();
      const key = newKey();
      await store.createConversation(key);
      for (let n = 0; n < 50; n++) await store.append(key, [receiveInput(`before${n}`)]);
      const folder = newFolder();
      const backing = store.backup(folder);
      for (let n = 0; n < 50; n++) await store.append(key, [receiveInput(`while${n}`)]);
      await backing;
      const copy = await openBackup(folder);
      const events = await copy.readEvents(key);
      expect(events.length).toBeGreaterThanOrEqual(50);
      expect(events.map((each) => each.seq)).toEqual(events.map((_, index) => index + 1));
      expect(await collect(copy.verify())).toEqual([]);
      await copy.close();
      expect((await store.getConversation(key)).last_seq).toBe(100);
    });

    it("finds nothing wrong with an intact store", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await writer.turn("turn_1", "hi", "hello");
      expect(await store.verifyConversation(key)).toEqual([]);
      expect(await collect(store.verify())).toEqual([]);
    });
  });
}

/** Tests a conversation and its branches: lists show only one of them, and a branch can outlive its parent. */
import { encodeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { addTurn, threeTurns } from "./branching-turns.ts";
import { bytesOf, codeOf, collect, type OpenStore, useStore } from "./opened-store.ts";
import { appendBlob, receiveInput, setTitle, Writer } from "./writer.ts";

export function branchTreesSuite(open: OpenStore): void {
  describe("branches of one tree", () => {
    const bench = useStore(open);

    it("are one entry in lists: the conversation of the tree that was made or shown last", async () => {
      const { store, newKey, clock } = bench();
      const user = "lister";
      const [key, one, two, other] = [newKey({ user }), newKey({ user }), newKey({ user }), newKey({ user })];
      const { ends } = await threeTurns(store, key);
      await store.createConversation(other);
      clock.tick();
      await store.branch(key, ends[0], one.conversation);
      clock.tick();
      await store.branch(key, ends[1], two.conversation);
      const listed = async () => (await store.listConversations(key)).items.map((info) => info.conversation);
      expect(await listed()).toEqual([two.conversation, other.conversation]);
      await store.show(one);
      expect(await listed()).toEqual([one.conversation, other.conversation]);
      await addTurn(store, two, "turn_3b", "serval");
      expect(await listed()).toEqual([one.conversation, other.conversation]);
      const all = [key, one, two].map((each) => each.conversation);
      for (const each of [key, one, two])
        expect((await store.branches(each)).items.map((info) => info.conversation)).toEqual(all);
      expect((await store.branches(two, { limit: 2 })).items).toHaveLength(2);
      expect((await store.branches(other)).items).toHaveLength(1);
      clock.tick();
      await store.deleteConversation(one);
      expect((await listed())[0]).toBe(two.conversation);
      await store.deleteConversation(two);
      expect((await listed()).toSorted()).toEqual([other.conversation, key.conversation].toSorted());
    });

    it("give versions of a turn, each with the conversation to open", async () => {
      const { store, newKey, clock } = bench();
      const [key, b, c, d] = [newKey(), newKey(), newKey(), newKey()];
      const { ends } = await threeTurns(store, key);
      const names = (...keys: readonly (typeof key)[]) => keys.map((each) => each.conversation);
      expect(await store.versions(key)).toEqual([]);
      clock.tick();
      await store.branch(key, ends[1], b.conversation);
      expect(await store.versions(key)).toEqual([]); // The branch has no third turn yet.
      await addTurn(store, b, "turn_3b", "b");
      expect(await store.versions(key)).toEqual([{ turn: 3, conversations: names(key, b), current: 0 }]);
      expect(await store.versions(b)).toEqual([{ turn: 3, conversations: names(key, b), current: 1 }]);
      // If `c` is cut from the branch `b` before the first turn of `b`, `c` has another version of that turn.
      clock.tick();
      await store.append(b, [receiveInput("later")]);
      await store.branch(b, ends[1], c.conversation);
      await addTurn(store, c, "turn_3c", "c");
      clock.tick();
      await store.branch(key, ends[0], d.conversation);
      await addTurn(store, d, "turn_2d", "d");
      expect(await store.versions(c)).toEqual([
        { turn: 2, conversations: names(c, d), current: 0 },
        { turn: 3, conversations: names(key, b, c), current: 2 },
      ]);
      expect(await store.versions(d)).toEqual([{ turn: 2, conversations: names(c, d), current: 1 }]);
      await store.deleteConversation(key);
      expect(await store.versions(b)).toEqual([
        { turn: 2, conversations: names(b, d), current: 0 },
        { turn: 3, conversations: names(b, c), current: 0 },
      ]);
    });

    it("keep what they need of a deleted conversation, and nothing else of it", async () => {
      const { store, newKey } = bench();
      const user = "deleter";
      const [key, early, late] = [newKey({ user }), newKey({ user }), newKey({ user })];
      const { ends } = await threeTurns(store, key);
      const before = await store.readEvents(key);
      await store.branch(key, ends[0], early.conversation);
      await store.branch(key, ends[1], late.conversation);
      await store.deleteConversation(key);
      expect(await codeOf(store.load(key))).toBe("not_found");
      expect(await codeOf(store.search(key, "x", { conversation: key.conversation }))).toBe("not_found");
      const found = async (word: string) => (await store.search(key, word)).items.map((hit) => hit.conversation);
      expect(await found("kodkod")).toEqual([]);
      expect([...new Set(await found("margay"))]).toEqual([late.conversation]);
      expect((await store.readEvents(late)).map(({ event }) => encodeEvent(event))).toEqual(
        before.slice(0, ends[1]).map(({ event }) => encodeEvent(event)),
      );
      const { user: bytes } = await store.storedBytes(key);
      await store.deleteConversation(late);
      expect(await found("margay")).toEqual([]);
      expect([...new Set(await found("ocelot"))]).toEqual([early.conversation]);
      expect((await store.storedBytes(key)).user).toBeLessThan(bytes);
      expect((await store.load(early)).seq).toBe(ends[0]);
      // The id is free again, and the new conversation is not part of the tree.
      await store.createConversation(key);
      expect((await store.branches(key)).items).toHaveLength(1);
      await store.deleteConversation(early);
      await store.deleteConversation(key);
      expect((await store.storedBytes(key)).user).toBe(0);
      expect(await collect(store.verify())).toEqual([]);
    });

    it("keep no artifact and no upload that was added after their cut at the last event", async () => {
      const { store, newKey } = bench();
      const [key, branch] = [newKey({ user: "trimmer" }), newKey({ user: "trimmer" })];
      const { ends } = await threeTurns(store, key);
      await store.branch(key, ends[2], branch.conversation);
      await store.putBlob(key, [Buffer.from("uploaded after the cut")]);
      await store.saveArtifact(key, { kind: "note", payload: "saved after the cut" });
      await store.deleteConversation(key);
      expect(await store.gc({ graceMs: 0 })).toMatchObject({ blobs: 1 });
      // The number of the deleted conversation can be used again.
      const { id } = await store.saveArtifact(branch, { kind: "note", payload: "of the branch" });
      expect((await store.getArtifact(branch, id))?.payload).toBe("of the branch");
      expect((await store.load(branch)).seq).toBe(ends[2]);
      expect(await collect(store.verify())).toEqual([]);
    });

    it("are all deleted with their tree, by retention only together, and with their tenant", async () => {
      const { store, newKey, clock } = bench();
      const tenant = "trees";
      const [key, one, two] = [newKey({ tenant }), newKey({ tenant }), newKey({ tenant })];
      const { ends } = await threeTurns(store, key);
      await store.branch(key, ends[0], one.conversation);
      await store.branch(one, ends[0], two.conversation);
      await store.deleteConversation(one);
      await store.deleteConversation(two, { tree: true });
      for (const each of [key, one, two]) expect(await codeOf(store.load(each))).toBe("not_found");
      const again = await threeTurns(store, key);
      clock.tick(10_000);
      await store.branch(key, again.ends[1], one.conversation);
      expect(await store.applyRetention({ idleMs: 5_000, scope: { tenant } })).toBe(0);
      expect((await store.load(key)).seq).toBe(again.ends[2]);
      clock.tick(10_000_000);
      expect(await store.applyRetention({ idleMs: 5_000, scope: { tenant } })).toBe(2);
      const third = await threeTurns(store, key);
      await store.branch(key, third.ends[1], one.conversation);
      await store.deleteConversation(key);
      expect(await store.deleteTenant(tenant)).toBe(1);
      expect(await codeOf(store.load(one))).toBe("not_found");
      expect(await collect(store.verify())).toEqual([]);
    });

    it("are exported with their tree, and imported as one", async () => {
      const { store, newKey } = bench();
      const [key, one, two, copy] = [newKey(), newKey(), newKey(), newKey({ user: "importer" })];
      const { ends, writer } = await threeTurns(store, key);
      const { ref } = await store.putBlob(key, [Buffer.from("in the trunk")]);
      await writer.append(appendBlob((await store.load(key)).state.nextPosition, ref));
      await store.saveArtifact(key, { kind: "note", payload: 1 });
      await store.branch(key, ends[1], one.conversation);
      await addTurn(store, one, "turn_3b", "serval");
      await store.saveArtifact(one, { kind: "note", payload: 2 });
      await store.branch(one, ends[0], two.conversation);
      await store.append(two, [receiveInput("waits")]);
      const file = await bytesOf(store.exportConversation(one));
      expect(Buffer.compare(await bytesOf(store.exportConversation(one)), file)).toBe(0);
      await store.importConversation(copy, [file]);
      const names = (await store.branches(copy)).items.map((info) => info.conversation);
      expect(names).toEqual([`${copy.conversation}.1`, copy.conversation, `${copy.conversation}.3`]);
      const twin = (nth: number) => ({ ...copy, conversation: names[nth] ?? "" });
      for (const [nth, each] of [key, one, two].entries()) {
        const copied = await store.readEvents(twin(nth));
        const events = await store.readEvents(each);
        expect(copied.slice(0, events.length)).toEqual(events);
        expect(await store.verifyConversation(twin(nth))).toEqual([]);
      }
      expect((await store.load(twin(2))).state.pendingInputs.size).toBe(0);
      expect(Buffer.from(await bytesOf(store.readBlob(twin(0), ref))).toString()).toBe("in the trunk");
      expect(await codeOf(store.readBlob(twin(1), ref))).toBe("not_found");
      expect((await store.recent(twin(1), { kinds: ["note"] })).map(({ payload }) => payload)).toEqual([2]);
      expect((await store.listConversations(copy)).items.map((info) => info.conversation)).toEqual([names[2]]);
      expect((await store.versions(copy)).map(({ turn }) => turn)).toEqual([3]);
      expect(await codeOf(store.importConversation(copy, [file]))).toBe("conversation_exists");
      // When the first conversation is deleted, its turns stay as far as a branch needs them, and its bytes as long as
      // one conversation of the tree is left.
      await store.deleteConversation(twin(0));
      const again = newKey({ user: "importer" });
      await store.importConversation(again, store.exportConversation(copy));
      expect((await store.branches(again)).items).toHaveLength(2);
      expect((await store.turns(again)).items.map(({ turn_id }) => turn_id)).toEqual(["turn_1", "turn_2", "turn_3b"]);
      await store.deleteConversation(two);
      await store.deleteConversation(key);
      const flat = newKey({ user: "importer" });
      await store.importConversation(flat, store.exportConversation(one));
      expect((await store.branches(flat)).items).toHaveLength(1);
      expect((await store.getConversation(flat)).turns).toBe(3);
      expect(await collect(store.verify())).toEqual([]);
    });

    it("are whole or not there when the conversation is deleted at the same time", async () => {
      const { store, newKey } = bench();
      const [key, first] = [newKey(), newKey()];
      const { ends } = await threeTurns(store, key);
      await store.branch(key, ends[1], first.conversation);
      const targets = Array.from({ length: 4 }, () => newKey());
      const made = targets.map((target, nth) =>
        store.branch(nth % 2 === 0 ? key : first, ends[nth % 2] ?? 0, target.conversation).then(
          () => target,
          (error) => (error.code === "not_found" ? null : Promise.reject(error)),
        ),
      );
      const shown = store.show(first);
      await Promise.all([store.deleteConversation(key), shown]);
      for (const target of await Promise.all(made)) {
        if (target === null) continue;
        expect((await store.turns(target)).items.length).toBeGreaterThan(0);
        expect(await store.verifyConversation(target)).toEqual([]);
      }
      expect((await store.turns(first)).items).toHaveLength(2);
      const listed = (await store.branches(first)).items.filter((info) => info.listed);
      expect(listed).toHaveLength(1);
    });

    it("reach their followers alone", async () => {
      const { store, newKey } = bench();
      const [key, branch] = [newKey(), newKey()];
      const { ends, writer } = await threeTurns(store, key);
      await store.branch(key, ends[0], branch.conversation);
      const seen: number[] = [];
      const end = new AbortController();
      const following = (async () => {
        for await (const { seq } of store.follow(branch, { after: ends[0] - 1, signal: end.signal })) {
          seen.push(seq);
          if (seen.length === 5) end.abort();
        }
      })();
      await writer.append(setTitle("elsewhere"));
      await addTurn(store, branch, "turn_2b", "serval");
      await following;
      expect(seen).toEqual([0, 1, 2, 3, 4].map((nth) => ends[0] + nth));
    });

    it("load from a snapshot of the conversation they share, also after many events", async () => {
      const { store, newKey } = bench();
      const [key, branch] = [newKey(), newKey()];
      const writer = await Writer.create(store, key);
      for (let nth = 0; nth < 8; nth++)
        await writer.append(...Array.from({ length: 100 }, (_, n) => setTitle(`${nth} ${n}`)));
      await store.branch(key, 600, branch.conversation);
      expect((await store.load(branch)).state.meta.conversation_title).toBe("5 99");
      const { token } = await store.acquireLease(branch, "w", 60_000);
      for (let nth = 0; nth < 4; nth++)
        await store.append(
          branch,
          Array.from({ length: 100 }, (_, n) => setTitle(`branch ${nth} ${n}`)),
          { lease: { token, expectedSeq: 600 + nth * 100 } },
        );
      expect((await store.load(branch)).state.meta.conversation_title).toBe("branch 3 99");
      expect((await store.stateAt(branch, 550)).state.meta.conversation_title).toBe("5 49");
      expect(await store.verifyConversation(branch)).toEqual([]);
    });
  });
}

/** A branch shares the events of another conversation, and readers see no difference from a copy. */
import { makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { addTurn, threeTurns } from "./branching-turns.ts";
import { bytesOf, codeOf, collect, type OpenStore, plain, useStore } from "./opened-store.ts";
import { appendBlob, receiveInput, setTitle, TS, Writer } from "./writer.ts";

export function branchingSuite(open: OpenStore): void {
  describe("branches", () => {
    const bench = useStore(open);

    it("begin with the events up to the cut, go on with the next seq, and change nothing elsewhere", async () => {
      const { store, newKey } = bench();
      const [key, branch] = [newKey(), newKey()];
      const { ends } = await threeTurns(store, key);
      const made = await store.branch(key, ends[0], branch.conversation);
      expect(made).toMatchObject({
        conversation: branch.conversation,
        last_seq: ends[0],
        turns: 1,
        open_turn: null,
        forked_from: { conversation: key.conversation, seq: ends[0], root: key.conversation, branch: true },
      });
      expect(plain((await store.load(branch)).state)).toEqual(plain((await store.stateAt(key, ends[0])).state));
      const { seqs } = await addTurn(store, branch, "turn_2b", "serval");
      expect(seqs[0]).toBe(ends[0] + 1);
      expect((await store.readEvents(branch)).map(({ seq }) => seq)).toEqual(
        Array.from({ length: ends[0] + 4 }, (_, nth) => nth + 1),
      );
      expect((await store.turns(branch)).items.map(({ turn_id }) => turn_id)).toEqual(["turn_1", "turn_2b"]);
      expect((await store.readTurns(branch, { limit: 1 })).events.map(({ seq }) => seq)).toEqual(seqs);
      expect((await store.turns(key)).items.map(({ turn_id }) => turn_id)).toEqual(["turn_1", "turn_2", "turn_3"]);
      expect((await store.getConversation(key)).last_seq).toBe(ends[2]);
      expect(await store.verifyConversation(branch)).toEqual([]);
      expect(await store.verifyConversation(key)).toEqual([]);
    });

    it("find text, paths and sources of their own history only", async () => {
      const { store, newKey } = bench();
      const [key, branch] = [newKey({ user: "finder" }), newKey({ user: "finder" })];
      const { ends } = await threeTurns(store, key);
      await store.branch(key, ends[0], branch.conversation);
      await addTurn(store, branch, "turn_2b", "serval");
      const within = { conversation: branch.conversation, match: "all" } as const;
      const [hit] = (await store.search(branch, "ocelot question", within)).items;
      expect(hit).toMatchObject({ conversation: branch.conversation, turn_id: "turn_1" });
      expect((await store.search(branch, "margay", within)).items).toEqual([]);
      expect((await store.search(branch, "serval", within)).items).toHaveLength(2);
      expect((await store.search(branch, "ocelot", { ...within, turn: "turn_1" })).items).toHaveLength(2);
      // In the whole scope, shared text is found once.
      expect((await store.search(branch, "ocelot answer", { match: "all" })).items).toHaveLength(1);
      expect((await store.findByPath(branch, "ar:turn_1.user.prompt"))?.artifact.text).toBe("ocelot question");
      expect(await store.findByPath(branch, "ar:turn_2.user.prompt")).toBeNull();
      expect(await store.recent(branch, { kinds: ["turn.log"] })).toHaveLength(2);
    });

    it("share blobs that were named before the cut, and no others", async () => {
      const { store, newKey } = bench();
      const [key, branch] = [newKey(), newKey()];
      const writer = await Writer.create(store, key);
      const [shared, later] = ["named before the cut", "named after the cut"].map((text) => [Buffer.from(text)]);
      const { ref } = await store.putBlob(key, shared ?? []);
      const { lastSeq } = await writer.append(appendBlob(0, ref));
      const { ref: laterRef } = await store.putBlob(key, later ?? []);
      await writer.append(appendBlob(1, laterRef));
      await store.branch(key, lastSeq, branch.conversation);
      expect(await codeOf(store.readBlob(branch, laterRef))).toBe("not_found");
      const { token } = await store.acquireLease(branch, "w", 60_000);
      const lease = { token, expectedSeq: lastSeq };
      expect(await codeOf(store.append(branch, [appendBlob(1, laterRef)], { lease }))).toBe("blob_missing");
      await store.append(branch, [appendBlob(1, ref)], { lease });
      await store.deleteConversation(key);
      await store.gc({ graceMs: 0 });
      expect(Buffer.from(await bytesOf(store.readBlob(branch, ref))).toString()).toBe("named before the cut");
      await store.deleteConversation(branch);
      expect(await store.gc({ graceMs: 0 })).toMatchObject({ blobs: 1 });
      expect(await collect(store.verify())).toEqual([]);
    });

    it("have their own lease, streams and waiting messages, and know the keys of earlier inputs", async () => {
      const { store, newKey } = bench();
      const [key, branch] = [newKey(), newKey()];
      const writer = await Writer.create(store, key);
      await store.append(key, [receiveInput("a"), receiveInput("b")]);
      const { lastSeq } = await writer.append(setTitle("x"));
      await writer.append(makeEvent("input.promoted", { key: "a", turn_id: "turn_1" }));
      await store.appendStream(key, { token: writer.lease.token, stream: "s", offset: 0, text: "live" });
      await store.branch(key, lastSeq, branch.conversation);
      expect(await store.openStreams(branch)).toEqual([]);
      expect([...(await store.load(branch)).state.pendingInputs.keys()]).toEqual(["a", "b"]);
      expect(await collect(store.unfinished({ among: [branch] }))).toHaveLength(1);
      const stolen = { lease: { token: writer.lease.token, expectedSeq: lastSeq } };
      expect(await codeOf(store.append(branch, [setTitle("y")], stolen))).toBe("lease_lost");
      expect((await store.append(branch, [receiveInput("a")])).seqs).toEqual([1]);
      const begun = newKey();
      const aside = makeEvent("input.promoted", { key: "b", turn_id: "none" });
      const events = [aside, receiveInput("c"), receiveInput("a")];
      expect(await store.branch(key, lastSeq, begun.conversation, { events })).toMatchObject({ last_seq: lastSeq + 2 });
      expect([...(await store.load(begun)).state.pendingInputs.keys()]).toEqual(["a", "c"]);
      expect(await store.verifyConversation(begun)).toEqual([]);
      const { token } = await store.acquireLease(branch, "other", 1_000);
      const drop = ["a", "b"].map((each) => makeEvent("input.promoted", { key: each, turn_id: "none" }));
      await store.append(branch, drop, { lease: { token, expectedSeq: lastSeq } });
      expect(await collect(store.unfinished({ among: [branch] }))).toEqual([]);
      expect([...(await store.load(key)).state.pendingInputs.keys()]).toEqual(["b"]);
      expect(await store.verifyConversation(branch)).toEqual([]);
    });

    it("keep their turns as they were at the cut, whatever happens to them elsewhere", async () => {
      const { store, newKey } = bench();
      const [key, inside, after, later] = [newKey(), newKey(), newKey(), newKey()];
      const writer = await Writer.create(store, key);
      const turn_id = "turn_1";
      const opened = await writer.append(makeEvent("turn.opened", { turn_id, ts: TS }));
      const closed = await writer.append(makeEvent("turn.closed", { turn_id, ts: TS, exit: "quarantined" }));
      await store.branch(key, closed.lastSeq, after.conversation);
      await writer.append(makeEvent("turn.released", { key: "r", turn_id, ts: TS }));
      await writer.append(makeEvent("turn.opened", { turn_id, ts: TS }));
      await writer.append(makeEvent("turn.closed", { turn_id, ts: TS, exit: "complete" }));
      await store.branch(key, opened.lastSeq, inside.conversation);
      await store.branch(key, closed.lastSeq, later.conversation);
      const exits = async (of: typeof key) => (await store.turns(of)).items.map(({ exit }) => exit);
      expect(await exits(key)).toEqual(["complete"]);
      expect(await exits(after)).toEqual(["quarantined"]);
      expect(await exits(later)).toEqual(["quarantined"]);
      expect(await exits(inside)).toEqual([null]);
      expect((await store.getConversation(inside)).open_turn).toBe(turn_id);
      expect(await collect(store.unfinished({ among: [key, inside, after] }))).toHaveLength(1);
      for (const each of [key, inside, after, later]) expect(await store.verifyConversation(each)).toEqual([]);
      const listed = (await collect(store.quarantined())).map((each) => each.key.conversation);
      expect(listed.filter((name) => [after, later, key, inside].some((each) => each.conversation === name))).toEqual([
        after.conversation,
        later.conversation,
      ]);
    });

    it("may be branched again, before and after their own cut", async () => {
      const { store, newKey } = bench();
      const [key, first, second, third] = [newKey(), newKey(), newKey(), newKey()];
      const { ends } = await threeTurns(store, key);
      await store.branch(key, ends[1], first.conversation);
      const { lastSeq } = await addTurn(store, first, "turn_3b", "serval");
      await addTurn(store, first, "turn_4b", "caracal");
      await store.branch(first, lastSeq, second.conversation);
      await store.branch(second, ends[0], third.conversation);
      const turns = async (of: typeof key) => (await store.turns(of)).items.map((turn) => turn.turn_id);
      expect(await turns(second)).toEqual(["turn_1", "turn_2", "turn_3b"]);
      expect(await turns(third)).toEqual(["turn_1"]);
      await store.deleteConversation(key);
      await store.deleteConversation(first);
      expect(await turns(second)).toEqual(["turn_1", "turn_2", "turn_3b"]);
      await addTurn(store, second, "turn_4c", "lynx");
      await addTurn(store, third, "turn_2d", "puma");
      for (const each of [second, third]) expect(await store.verifyConversation(each)).toEqual([]);
      expect(await collect(store.repair())).toEqual([]);
      expect(await turns(second)).toEqual(["turn_1", "turn_2", "turn_3b", "turn_4c"]);
    });

    it("cut only where a fork may, and refuse a target that exists", async () => {
      const { store, newKey } = bench();
      const [key, free] = [newKey(), newKey()];
      const writer = await Writer.create(store, key);
      await writer.append(setTitle("1"), setTitle("2"));
      await writer.append(makeEvent("call.started", { turn_id: "t", call_id: "c", tool_id: "x", ts: TS }));
      expect(await codeOf(store.branch(key, 1, free.conversation))).toBe("not_settled");
      expect(await codeOf(store.branch(key, 3, free.conversation))).toBe("not_settled");
      expect(await codeOf(store.branch(key, 4, free.conversation))).toBe("not_found");
      expect(await codeOf(store.branch(key, 0, key.conversation))).toBe("conversation_exists");
      expect(await codeOf(store.branch(key, -1, free.conversation))).toBe("bad_argument");
      expect(await codeOf(store.branch(key, 0, ""))).toBe("bad_scope");
      expect(await codeOf(store.branch({ ...key, user: "other" }, 0, free.conversation))).toBe("not_found");
      await store.branch(key, 2, free.conversation);
      expect((await store.getConversation(free)).title).toBe("2");
    });
  });
}

/** A branch shares the events of another conversation, looks like a copy of it, and outlives it. */
import { encodeEvent, makeEvent } from "@cairn/timeline";
import { describe, expect, it } from "vitest";
import { bytesOf, codeOf, collect, type OpenStore, plain, type Store, useStore } from "./opened-store.ts";
import { appendBlob, receiveInput, setTitle, TS, Writer } from "./writer.ts";

export function branchingSuite(open: OpenStore): void {
  describe("branches", () => {
    const bench = useStore(open);

    /** A conversation with three turns, and the seq after each. */
    async function threeTurns(store: Store, key: Parameters<typeof Writer.create>[1]) {
      const writer = await Writer.create(store, key);
      const ends: number[] = [];
      for (const [nth, words] of ["ocelot", "margay", "kodkod"].entries())
        ends.push((await writer.turn(`turn_${nth + 1}`, `${words} question`, `${words} answer`)).lastSeq);
      return { writer, ends: ends as [number, number, number] };
    }

    async function addTurn(store: Store, key: Parameters<typeof Writer.create>[1], id: string, words: string) {
      const { token, last_timeline_seq } = await store.acquireLease(key, "w", 60_000);
      const { state } = await store.load(key);
      const block = (type: string, text: string, position: number) =>
        makeEvent("block.appended", { position, tokens: 1, version: 1, block: { type, turn_id: id, text } });
      const events = [
        makeEvent("turn.opened", { turn_id: id, ts: TS }),
        block("user.prompt", `${words} question`, state.nextPosition),
        block("assistant.completion", `${words} answer`, state.nextPosition + 1),
        makeEvent("turn.closed", { turn_id: id, ts: TS, exit: "complete" }),
      ];
      const appended = await store.append(key, events, { lease: { token, expectedSeq: last_timeline_seq } });
      await store.releaseLease(key, token);
      return appended;
    }

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
      expect(await store.versions(key)).toEqual([]); // It has no third turn yet.
      await addTurn(store, b, "turn_3b", "b");
      expect(await store.versions(key)).toEqual([{ turn: 3, conversations: names(key, b), current: 0 }]);
      expect(await store.versions(b)).toEqual([{ turn: 3, conversations: names(key, b), current: 1 }]);
      // A branch of a branch before its first turn is another version of that turn.
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
      // The number is free again.
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
      // Without the trunk, its turns stay as far as a branch needs them; with one conversation left, so does the file.
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

/** A conversation that is forked, exported or imported is copied completely or not at all. */
import { createHash } from "node:crypto";
import { encodeEvent, makeEvent } from "@cairn/timeline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bySize } from "../../runs.ts";
import { journalScripts } from "./journal-script.ts";
import { bytesOf, codeOf, collect, type OpenStore, plain, useStore } from "./opened-store.ts";
import { appendBlob, playScript, receiveInput, setTitle, TS, Writer } from "./writer.ts";

/** Positions in an exported file at which a bit is changed. */
const FLIPS = bySize({ quick: 6, usual: 12, long: 96 });

export function copyingSuite(open: OpenStore): void {
  describe("forks", () => {
    const bench = useStore(open);

    it("copy the conversation up to a seq, and then change independently", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const { lastSeq: at } = await writer.turn("turn_1", "ocelot", "answer");
      await writer.turn("turn_2", "margay", "answer");
      const target = newKey();
      const made = await store.fork(key, at, target.conversation);
      expect(made).toMatchObject({ last_seq: at, turns: 1, forked_from: { conversation: key.conversation, seq: at } });
      expect(plain((await store.load(target)).state)).toEqual(plain((await store.stateAt(key, at)).state));
      expect((await store.readEvents(target)).map((each) => encodeEvent(each.event))).toEqual(
        (await store.readEvents(key)).slice(0, at).map((each) => encodeEvent(each.event)),
      );
      const there = { conversation: target.conversation, match: "all" } as const;
      expect((await store.search(key, "ocelot", there)).items).toHaveLength(1);
      expect((await store.search(key, "margay", there)).items).toEqual([]);
      expect((await store.findByPath(target, "ar:turn_1.user.prompt"))?.artifact.text).toBe("ocelot");
      const lease = await store.acquireLease(target, "w", 1_000);
      const options = { lease: { token: lease.token, expectedSeq: lease.last_timeline_seq } };
      await store.append(target, [setTitle("branch")], options);
      expect((await store.getConversation(key)).title).toBeNull();
      expect(await store.verifyConversation(target)).toEqual([]);
    });

    it("remember the origin of their chain of forks, even after it is deleted, exported or imported", async () => {
      const { store, newKey } = bench();
      const [first, second, third, copy] = [newKey(), newKey(), newKey(), newKey()];
      const { lastSeq } = await (await Writer.create(store, first)).turn("turn_1", "q", "a");
      const root = first.conversation;
      expect((await store.fork(first, lastSeq, second.conversation)).forked_from).toEqual({
        conversation: first.conversation,
        seq: lastSeq,
        root,
      });
      await store.deleteConversation(first);
      const origin = { conversation: second.conversation, seq: 0, root };
      expect((await store.fork(second, 0, third.conversation)).forked_from).toEqual(origin);
      await store.deleteConversation(second);
      expect((await store.getConversation(third)).forked_from).toEqual(origin);
      const file = await collect(store.exportConversation(third));
      expect((await store.importConversation(copy, file)).forked_from).toEqual(origin);
    });

    it("do not share the lease, the streams or the saved artifacts of other writers", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const { lastSeq } = await writer.append(setTitle("x"));
      await store.appendStream(key, { token: writer.lease.token, stream: "s", offset: 0, text: "live" });
      const target = newKey();
      await store.fork(key, lastSeq, target.conversation);
      expect(await store.openStreams(target)).toEqual([]);
      const stolen = { lease: { token: writer.lease.token, expectedSeq: 1 } };
      expect(await codeOf(store.append(target, [setTitle("y")], stolen))).toBe("lease_lost");
      await store.acquireLease(target, "other", 1_000);
    });

    it("cut only where a batch ended and no call is open", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const call_id = "tc_1";
      await writer.append(setTitle("1"), setTitle("2"));
      await writer.append(makeEvent("call.started", { turn_id: "turn_1", call_id, tool_id: "x", ts: TS }));
      await store.append(key, [receiveInput("k")]);
      await writer.append(makeEvent("call.settled", { call_id, outcome: "ok", ts: TS }));
      const codes: string[] = [];
      for (let seq = 0; seq <= 6; seq++) {
        const made = store.fork(key, seq, newKey().conversation);
        codes.push(
          await made.then(
            () => "forked",
            (error) => error.code,
          ),
        );
      }
      expect(codes).toEqual(["forked", "not_settled", "forked", "not_settled", "not_settled", "forked", "not_found"]);
    });

    it("refuse a target that exists, and leave nothing behind when they fail", async () => {
      const { store, newKey } = bench();
      const [key, taken, free] = [newKey(), newKey(), newKey()];
      await store.createConversation(key);
      await store.createConversation(taken, { events: [setTitle("mine")] });
      expect(await codeOf(store.fork(key, 0, taken.conversation))).toBe("conversation_exists");
      expect(await codeOf(store.fork(key, 0, key.conversation))).toBe("conversation_exists");
      expect((await store.getConversation(taken)).title).toBe("mine");
      expect(await codeOf(store.fork(key, 5, free.conversation))).toBe("not_found");
      expect(await codeOf(store.getConversation(free))).toBe("not_found");
      for (const seq of [-1, 0.5, Number.NaN])
        expect(await codeOf(store.fork(key, seq, free.conversation))).toBe("bad_argument");
      for (const target of ["", "\ud800", "x".repeat(513)])
        expect(await codeOf(store.fork(key, 0, target))).toBe("bad_scope");
    });

    it("share blobs, so that either can be deleted", async () => {
      const { store, newKey } = bench();
      const [key, target] = [newKey(), newKey()];
      const writer = await Writer.create(store, key);
      const bytes = new TextEncoder().encode("shared by a fork");
      const later = new TextEncoder().encode("put after the fork point");
      const { ref } = await store.putBlob(key, [bytes]);
      const { lastSeq } = await writer.append(appendBlob(0, ref));
      const { ref: laterRef } = await store.putBlob(key, [later]);
      await writer.append(appendBlob(1, laterRef));
      await store.fork(key, lastSeq, target.conversation);
      expect(await codeOf(store.readBlob(target, laterRef))).toBe("not_found");
      await store.deleteConversation(key);
      await store.gc({ graceMs: 0 });
      expect(await bytesOf(store.readBlob(target, ref))).toEqual(bytes);
      expect(await collect(store.verify())).toEqual([]);
    });

    it("remember inputs' keys and never reuse a SID", async () => {
      const { store, newKey } = bench();
      const [key, target] = [newKey(), newKey()];
      const writer = await Writer.create(store, key);
      await store.append(key, [receiveInput("k")]);
      writer.timeline.mergeSources([{ url: "https://example.com/1" }]);
      const { lastSeq } = await writer.append(...writer.timeline.takeEvents());
      await store.fork(key, lastSeq, target.conversation);
      expect((await store.append(target, [receiveInput("k")])).seqs).toEqual([1]);
      const { state } = await store.load(target);
      expect(state.pool.merge([{ url: "https://example.com/2" }]).sids).toEqual([2]);
    });
  });

  describe("export and import", () => {
    const bench = useStore(open);

    it("copies every byte: the copy exports to the same file", async () => {
      const { store, newKey, clock } = bench();
      await fc.assert(
        fc.asyncProperty(journalScripts(), async (script) => {
          const [key, copy] = [newKey(), newKey({ tenant: "elsewhere", user: "ü" })];
          const { state } = await playScript(store, key, script);
          await store.saveArtifact(key, { kind: "report", payload: { a: ["\ud800"] }, content_str: "c" });
          const file = await bytesOf(store.exportConversation(key));
          expect(Buffer.compare(await bytesOf(store.exportConversation(key)), file)).toBe(0);
          clock.tick(1_000);
          await store.importConversation(copy, [file]);
          const events = await store.readEvents(key);
          const copied = await store.readEvents(copy);
          expect(copied.slice(0, events.length)).toEqual(events);
          if (copied.length === events.length) {
            expect(Buffer.compare(await bytesOf(store.exportConversation(copy)), file)).toBe(0);
            expect(plain((await store.load(copy)).state)).toEqual(plain(state));
          }
          const { openTurn, pendingInputs, unsettled, approvalsGiven } = (await store.load(copy)).state;
          expect([openTurn, pendingInputs.size, unsettled.size, approvalsGiven.size]).toEqual([null, 0, 0, 0]);
          expect(await store.recent(copy, { kinds: ["report"] })).toEqual(
            await store.recent(key, { kinds: ["report"] }),
          );
          for (const [ref, bytes] of script.blobs) expect(await bytesOf(store.readBlob(copy, ref))).toEqual(bytes);
          expect(await store.verifyConversation(copy)).toEqual([]);
        }),
        { numRuns: bySize({ quick: 2, usual: 4, long: 2_000 }) },
      );
    });

    it("closes open turns of a file, drops waiting inputs, and accepts no consent from it", async () => {
      const { store, newKey } = bench();
      const [key, copy] = [newKey(), newKey()];
      const writer = await Writer.create(store, key);
      const call = { call_id: "tc_1", turn_id: "turn_1", tool_id: "shop.order", ts: TS };
      await writer.append(
        makeEvent("turn.opened", { turn_id: "turn_1", ts: TS }),
        makeEvent("call.started", { ...call, call_id: "tc_0" }),
        makeEvent("approval.requested", { ...call, params: {}, hash: "h" }),
      );
      await store.append(key, [
        makeEvent("approval.given", { key: "a", call_id: "tc_1", approve: true, ts: TS, hash: "h", grant: "g" }),
        receiveInput("waits"),
      ]);
      expect(plain((await store.load(key)).state)).toMatchObject({ grants: ["g"] });
      await store.importConversation(copy, store.exportConversation(key));
      const { state } = await store.load(copy);
      expect(state).toMatchObject({ openTurn: null, cancelRequested: null });
      for (const open of [state.unsettled, state.pendingInputs, state.approvalsRequested, state.approvalsGiven])
        expect(open.size).toBe(0);
      expect(state.grants.size).toBe(0);
      expect((await store.readEvents(copy)).at(-1)?.event).toMatchObject({
        kind: "conversation.imported",
        body: { closed_turn: "turn_1", dropped_messages: 1, withdrawn_approvals: 1 },
      });
      const unfinished = await collect(store.unfinished({ among: [copy] }));
      expect(unfinished).toEqual([]);
      expect(await store.verifyConversation(copy)).toEqual([]);
    });

    it("imports a file in pieces of any size, and continues the conversation", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await writer.turn("turn_1", "wombat", "answer");
      const file = await bytesOf(store.exportConversation(key));
      for (const size of [1, 7, 4_096]) {
        const copy = newKey();
        const pieces = function* () {
          for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size);
        };
        const info = await store.importConversation(copy, pieces());
        expect(info.last_seq).toBe(writer.lastSeq);
        const there = { conversation: copy.conversation, match: "all" } as const;
        expect((await store.search(copy, "wombat", there)).items).toHaveLength(1);
        const lease = await store.acquireLease(copy, "w", 1_000);
        const options = { lease: { token: lease.token, expectedSeq: lease.last_timeline_seq } };
        expect((await store.append(copy, [setTitle("on")], options)).lastSeq).toBe(writer.lastSeq + 1);
      }
    });

    it("keeps the ends of batches, so that a copy can be forked where the original can", async () => {
      const { store, newKey } = bench();
      const [key, copy] = [newKey(), newKey()];
      const writer = await Writer.create(store, key);
      await writer.append(setTitle("1"), setTitle("2"));
      await store.importConversation(copy, store.exportConversation(key));
      expect(await codeOf(store.fork(copy, 1, newKey().conversation))).toBe("not_settled");
      await store.fork(copy, 2, newKey().conversation);
    });

    it("imports nothing from a file that is cut, changed, extended or of another kind", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const { ref } = await store.putBlob(key, [new TextEncoder().encode("bytes of a blob")]);
      await writer.append(appendBlob(0, ref), setTitle("to be exported"));
      const file = await bytesOf(store.exportConversation(key));
      const changed = (at: number) => file.map((byte, index) => (index === at ? byte ^ 0x01 : byte));
      const cuts = [0, 1, 10, Math.floor(file.length / 2), file.length - 1];
      const flips = Array.from({ length: FLIPS }, (_, n) => Math.floor((n * file.length) / FLIPS));
      const bad = [
        ...cuts.map((at) => file.subarray(0, at)),
        ...flips.map(changed),
        new Uint8Array([...file, 0]),
        new Uint8Array([...file, ...file]),
        new TextEncoder().encode("{}"),
        new Uint8Array(10_000),
      ];
      for (const [nth, bytes] of bad.entries()) {
        const copy = newKey();
        const code = await codeOf(store.importConversation(copy, [bytes]));
        expect([nth, code]).toEqual([nth, expect.stringMatching(/^(corrupt|newer_version)$/)]);
        expect(await codeOf(store.getConversation(copy))).toBe("not_found");
      }
      expect(await collect(store.verify())).toEqual([]);
    });

    it("refuses a file with times beyond four-digit years", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key, { events: [setTitle("here")] });
      const text = new TextDecoder().decode(await bytesOf(store.exportConversation(key)));
      const [head = "", ...rest] = text.trimEnd().split("\n").slice(0, -1);
      if (!head.includes('"created_at"')) return; // The reference store has its own file format.
      const late = [head.replace(/"created_at":\d+/, '"created_at":8640000000000000'), ...rest].join("\n");
      const sha256 = createHash("sha256").update(`${late}\n`).digest("hex");
      const file = new TextEncoder().encode(`${late}\n${JSON.stringify({ sha256 })}\n`);
      expect(await codeOf(store.importConversation(newKey(), [file]))).toBe("corrupt");
    });

    it("refuses to import over a conversation", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key, { events: [setTitle("here")] });
      const file = await bytesOf(store.exportConversation(key));
      expect(await codeOf(store.importConversation(key, [file]))).toBe("conversation_exists");
      expect((await store.load(key)).seq).toBe(1);
    });

    it("leaves nothing when the source of an import fails", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key, { events: [setTitle("here")] });
      const file = await bytesOf(store.exportConversation(key));
      const copy = newKey();
      const failing = async function* () {
        yield file.subarray(0, file.length / 2);
        throw new Error("the network went away");
      };
      await expect(store.importConversation(copy, failing())).rejects.toThrow("the network went away");
      expect(await codeOf(store.getConversation(copy))).toBe("not_found");
    });
  });
}

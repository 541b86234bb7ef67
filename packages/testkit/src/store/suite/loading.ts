/** Loading returns the appended events, at any seq; a follower gets each event once, in order. */
import type { LoadedOutline } from "@cairn/store";
import { applyEvent, foldEvents, makeEvent, TimelineState } from "@cairn/timeline";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { make } from "../../conversation/index.ts";
import { bySize } from "../../runs.ts";
import { asStored, journalScripts } from "./journal-script.ts";
import { codeOf, collect, type OpenStore, plain, useStore } from "./opened-store.ts";
import { playScript, receiveInput, setTitle, TS, Writer } from "./writer.ts";

/** Few runs, because each writes a conversation and reads every state that the conversation ever had. */
const scriptRuns = bySize({ quick: 2, usual: 5, long: 2_000 });
/** Number of events: more than three pages of a follower, and a part of a fourth. */
const BACKLOG = bySize({ quick: 700, usual: 700, long: 2_500 });

export function loadingSuite(open: OpenStore): void {
  describe("loading", () => {
    const bench = useStore(open);

    it("loads an empty conversation as the empty state", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      const { state, seq, timelineSeq } = await store.load(key);
      expect([seq, timelineSeq]).toEqual([0, 0]);
      expect(plain(state)).toEqual(plain(new TimelineState()));
    });

    it("returns the fold of all events, and for a past state the fold of its prefix", async () => {
      const { store, newKey } = bench();
      await fc.assert(
        fc.asyncProperty(journalScripts(), async (script) => {
          const key = newKey();
          const { events, state } = await playScript(store, key, script);
          const loaded = await store.load(key);
          expect(loaded.seq).toBe(events.length);
          expect(plain(loaded.state)).toEqual(plain(state));
          const without = ["block.appended", "input.received"];
          const rest = (await store.readEvents(key)).slice(1, 8).filter(({ event }) => !without.includes(event.kind));
          expect(await store.readEvents(key, { after: 1, limit: 7, without })).toEqual(rest);
          expect(outlineOf(await store.loadOutline(key, { sources: (row) => row }))).toEqual(outlineOf(loaded));
          expect(asStored((await store.readEvents(key)).map((each) => each.event))).toEqual(asStored(events));
          const prefix = new TimelineState();
          for (const [index, event] of [null, ...events].entries()) {
            if (event !== null) applyEvent(prefix, event);
            const then = await store.stateAt(key, index);
            expect(then.seq).toBe(index);
            expect(plain(then.state)).toEqual(plain(prefix));
          }
        }),
        { numRuns: scriptRuns },
      );
    });

    it("returns the fold of a long conversation with snapshots and compactions", async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      for (let n = 1; n <= 120; n++) {
        const at = { turn: `turn_${n}`, call: `tc_${n}`, iteration: 0 };
        const text = `body ${n} `.repeat(40);
        await writer.turn(
          at.turn,
          `prompt ${n}`,
          `answer ${n}`,
          ...make.file(at, { name: "a.md", mime: "text/markdown", text }),
        );
        if (n % 25 !== 0) continue;
        const { state } = writer.timeline;
        const path = `su:turn_${n}.conv.range.summary`;
        const summary = { type: "conv.range.summary", turn_id: at.turn, path, text: `summary ${n}` };
        const position = state.nextPosition;
        const event = makeEvent("compaction.committed", {
          cut: position - 8,
          position,
          summary,
          tokens: 3,
          version: 1,
        });
        applyEvent(state, event);
        await writer.append(event);
      }
      const other = await another();
      const loaded = await other.load(key);
      expect(loaded.seq).toBe(writer.lastSeq);
      expect(plain(loaded.state)).toEqual(plain(writer.timeline.state));
      expect(outlineOf(await other.loadOutline(key, { sources: (row) => row }))).toEqual(outlineOf(loaded));
      const events = (await other.readEvents(key, { limit: 10_000 })).map((each) => each.event);
      for (const seq of [1, 100, 255, 256, 257, 300, 511, 512, 513, 600, events.length - 1, events.length]) {
        const then = await other.stateAt(key, seq);
        expect(plain(then.state)).toEqual(plain(foldEvents(events.slice(0, seq))));
      }
      await other.close();
      expect(await store.verifyConversation(key)).toEqual([]);
    });

    it("outlines what runs and waits without sources and outputs, and keeps of a source what is asked for", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      const row = (sid: number) => ({ sid, title: `source ${sid}`, text: "long ".repeat(100) });
      const ask = (call: string) => [
        makeEvent("approval.requested", {
          turn_id: "turn_1",
          call_id: call,
          tool_id: "shop.order",
          params: { item: call },
          hash: `sha256:${"0".repeat(64)}`,
          client: true,
          ts: TS,
        }),
        makeEvent("approval.given", {
          key: call,
          call_id: call,
          approve: true,
          hash: `sha256:${"0".repeat(64)}`,
          output: { answer: "long ".repeat(100) },
          ts: TS,
        }),
      ];
      await writer.append(makeEvent("turn.opened", { turn_id: "turn_1", ts: TS }));
      await writer.append(makeEvent("sources.merged", { rows: [row(1), row(2)] }), ...ask("tc_1"));
      // After so many events, the store has written a snapshot.
      for (let n = 0; n < 4; n++)
        await writer.append(...Array.from({ length: 100 }, (_, at) => setTitle(`${n} ${at}`)));
      await writer.append(makeEvent("sources.merged", { rows: [row(2), row(3)] }), ...ask("tc_2"));
      const { state, seq } = await store.loadOutline(key);
      expect([seq, state.openTurn, state.pool.size]).toEqual([writer.lastSeq, "turn_1", 0]);
      expect([...state.approvalsGiven].map(([call, given]) => [call, given.approve, given.output])).toEqual([
        ["tc_1", true, undefined],
        ["tc_2", true, undefined],
      ]);
      const named = await store.loadOutline(key, { sources: ({ sid, title }) => ({ sid, title: `${title}!` }) });
      expect(named.state.pool.rows()).toEqual([1, 2, 3].map((sid) => ({ sid, title: `source ${sid}!` })));
      expect((await store.load(key)).state.approvalsGiven.get("tc_1")).toHaveProperty("output");
    });

    it("returns a separate state to every caller", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await writer.turn("turn_1", "hi", "hello");
      const mine = await store.load(key);
      const before = plain(mine.state);
      applyEvent(mine.state, setTitle("mine alone"));
      mine.state.append({ type: "user.prompt", text: "mine" }, 0, 1);
      mine.state.pool.merge([{ url: "https://example.com/" }]);
      expect(plain((await store.load(key)).state)).toEqual(before);
      expect(plain((await store.stateAt(key, writer.lastSeq)).state)).toEqual(before);
    });

    it("distinguishes the last timeline event from the last event", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await writer.append(setTitle("a"));
      await store.append(key, [receiveInput("k")]);
      expect(await store.load(key)).toMatchObject({ seq: 2, timelineSeq: 1 });
      expect(await store.stateAt(key, 2)).toMatchObject({ seq: 2, timelineSeq: 1 });
      expect(await store.stateAt(key, 0)).toMatchObject({ seq: 0, timelineSeq: 0 });
    });

    it("refuses states that never existed", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      expect(await codeOf(store.stateAt(key, 1))).toBe("not_found");
      for (const seq of [-1, 0.5, Number.NaN]) expect(await codeOf(store.stateAt(key, seq))).toBe("bad_argument");
    });

    it("reads events after a seq, up to the requested number", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      await store.append(
        key,
        Array.from({ length: 30 }, (_, n) => receiveInput(`k${n}`)),
      );
      const seqs = async (options: { after?: number; limit?: number }) =>
        (await store.readEvents(key, options)).map((each) => each.seq);
      expect(await seqs({ after: 10, limit: 3 })).toEqual([11, 12, 13]);
      expect(await seqs({ after: 29 })).toEqual([30]);
      expect(await seqs({ after: 30 })).toEqual([]);
      expect(await seqs({ after: 1_000_000 })).toEqual([]);
      expect(await seqs({})).toHaveLength(30);
      for (const limit of [0, -1, 10_001, 2.5, Number.NaN])
        expect(await codeOf(store.readEvents(key, { limit }))).toBe("bad_argument");
      for (const after of [-1, 0.5, Number.NaN])
        expect(await codeOf(store.readEvents(key, { after }))).toBe("bad_argument");
    });
  });

  describe("following", () => {
    const bench = useStore(open);

    it("returns existing events, then new ones, from any handle, each once and in order", async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      const writer = await Writer.create(store, key);
      await writer.append(setTitle("0"), setTitle("1"));
      const other = await another();
      const stop = new AbortController();
      const seen: number[] = [];
      const following = (async () => {
        for await (const { seq } of other.follow(key, { signal: stop.signal })) {
          seen.push(seq);
          if (seq === 62) stop.abort();
        }
      })();
      for (let n = 0; n < 20; n++) {
        await writer.append(setTitle(`t${n}`));
        await store.append(key, [receiveInput(`a${n}`)]);
        await other.append(key, [receiveInput(`b${n}`)]);
      }
      await following;
      expect(seen).toEqual(Array.from({ length: 62 }, (_, n) => n + 1));
      await other.close();
    });

    it("begins after `after`, which may be beyond the last event", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      await store.append(key, [receiveInput("a"), receiveInput("b")]);
      for await (const { seq } of store.follow(key, { after: 1 })) {
        expect(seq).toBe(2);
        break;
      }
      const first = (async () => {
        for await (const { seq } of store.follow(key, { after: 3 })) return seq;
        return null;
      })();
      await store.append(key, [receiveInput("c"), receiveInput("d"), receiveInput("e")]);
      expect(await first).toBe(4);
    });

    it("ends without an error when the signal aborts, also before it began", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      expect(await collect(store.follow(key, { signal: AbortSignal.abort() }))).toEqual([]);
      expect(await collect(store.follow(key, { signal: AbortSignal.timeout(20) }))).toEqual([]);
    });

    it("throws not_found when the conversation is deleted, by this handle or another", async () => {
      const { store, newKey, another } = bench();
      const other = await another();
      for (const deleter of [store, other]) {
        const key = newKey();
        await store.createConversation(key);
        const following = codeOf(store.follow(key));
        await new Promise((wake) => setTimeout(wake, 30));
        await deleter.deleteConversation(key);
        expect(await following).toBe("not_found");
      }
      await other.close();
    });

    it("does not mistake a new conversation with the same id for the deleted one", async () => {
      const { store, newKey, another } = bench();
      const other = await another();
      const key = newKey();
      await store.createConversation(key, { events: [receiveInput("old")] });
      const seen: unknown[] = [];
      const follow = async () => {
        for await (const { event } of other.follow(key)) seen.push(event.body);
      };
      const following = codeOf(follow());
      while (seen.length === 0) await new Promise((wake) => setTimeout(wake, 5));
      await store.deleteConversation(key);
      await store.createConversation(key, { events: [receiveInput("x"), receiveInput("new")] });
      const patience = new Promise<string>((wake) => setTimeout(wake, 60_000, "still following").unref());
      expect(await Promise.race([following, patience])).toBe("not_found");
      expect(seen).toHaveLength(1);
      await other.close();
    });

    it("ends without an error when the store is closed, and a follower that begins later gets closed", async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      await store.createConversation(key);
      const other = await another();
      const waiting = collect(other.follow(key));
      const late = other.follow(key);
      await other.close();
      expect(await waiting).toEqual([]);
      expect(await codeOf(late)).toBe("closed");
    });

    it("ends without an error when the store is closed in the middle of a long backlog", async () => {
      const { store, newKey, another } = bench();
      const key = newKey();
      await store.createConversation(key);
      await store.append(
        key,
        Array.from({ length: BACKLOG }, (_, n) => receiveInput(`k${n}`)),
      );
      // A store reads ahead: the test closes it both where the next event must be read and where it is already
      // buffered.
      for (const last of [200, 250]) {
        const other = await another();
        let seen = 0;
        for await (const { seq } of other.follow(key)) {
          expect(seq).toBe(++seen);
          if (seq === last) await other.close();
        }
        expect(seen).toBe(last);
      }
    });

    it("delivers a long backlog completely", async () => {
      const { store, newKey } = bench();
      const key = newKey();
      await store.createConversation(key);
      await store.append(
        key,
        Array.from({ length: BACKLOG }, (_, n) => receiveInput(`k${n}`)),
      );
      let last = 0;
      for await (const { seq } of store.follow(key)) {
        expect(seq).toBe(++last);
        if (seq === BACKLOG) break;
      }
    });
  });
}

function outlineOf({ state, seq }: LoadedOutline): unknown {
  const { turnIds, openTurn, openTurnChoice, pendingInputs, unsettled, pool } = state;
  const { approvalsRequested, approvalsGiven, cancelRequested } = state;
  const given = [...approvalsGiven].map(([call, { output: _, ...rest }]) => [call, rest]);
  const maps = [...[pendingInputs, unsettled, approvalsRequested].map((map) => [...map]), given];
  return {
    seq,
    turnIds,
    openTurn,
    openTurnChoice,
    cancelRequested,
    maps,
    sources: [...pool.rows()],
    maxSid: pool.maxSid,
  };
}

/** Laws of events and states. */
import { conversations, make } from "@cairn/testkit/conversation";
import { costlyRuns } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeEvent, encodeEvent, highestVersion, makeEvent } from "../event/codec.ts";
import { EVENT_BODIES, type EventKind, type TimelineEvent } from "../event/event.ts";
import { Timeline } from "../timeline.ts";
import { applyEvent, foldEvents } from "./apply.ts";
import { restoreState, snapshotState } from "./snapshot.ts";

const deps = { clock: { now: () => 1_770_603_272_000 }, countTokens: (text: string) => Math.ceil(text.length / 4) };
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));

function played(batches: Awaited<ReturnType<typeof sample>>): Timeline {
  const timeline = Timeline.create(deps);
  timeline.openTurn("turn_0");
  for (const batch of batches) {
    timeline.contribute(batch.blocks);
    timeline.mergeSources(batch.sources);
    timeline.hide({ paths: batch.blocks.flatMap((block) => block.path ?? []).slice(-1), replacement: "gone" });
  }
  const plan = timeline.planCompaction({ maxTokens: 600 });
  if (plan !== null) timeline.commitCompaction(plan, { summary: "Goal: x", prefix: null });
  timeline.closeTurn("complete");
  return timeline;
}

const sample = () => fc.sample(conversations(), 1)[0] ?? [];

/** Inputs and other events that do not affect the conversation's other events. */
const bookkeeping: readonly TimelineEvent[] = [
  makeEvent("input.received", { key: "a", mode: "turn", message: "hi", attachments: [], ts: "t" }),
  makeEvent("input.received", { key: "b", mode: "steer", message: "wait", attachments: [], ts: "t" }),
  makeEvent("input.promoted", { key: "a", turn_id: "turn_1" }),
  makeEvent("feedback.received", { key: "f", turn_id: "turn_1", reaction: "up", ts: "t" }),
  makeEvent("call.started", { turn_id: "turn_1", call_id: "c1", tool_id: "x", ts: "t" }),
  makeEvent("call.started", { turn_id: "turn_1", call_id: "c2", tool_id: "x", ts: "t" }),
  makeEvent("approval.requested", { call_id: "c2", ts: "t" }),
  makeEvent("approval.given", { key: "g", call_id: "c2", approve: true, ts: "t" }),
  makeEvent("call.settled", { call_id: "c1", outcome: "ok", ts: "t" }),
  makeEvent("cancel.requested", { key: "k", ts: "t" }),
  makeEvent("title.given", { key: "t", ts: "t", title: "Mine" }),
  makeEvent("turn.opened", { turn_id: "turn_9", ts: "t", agent: "other", model: "m" }),
];

describe("the fold", () => {
  it("of a withdrawal removes messages that wait, and leaves those that a turn has taken", () => {
    const message = (key: string) =>
      makeEvent("input.received", { key, mode: "turn", message: key, attachments: [], ts: "t" });
    const state = foldEvents([
      ...["a", "b", "c"].map(message),
      makeEvent("turn.opened", { turn_id: "turn_1", ts: "t" }),
      makeEvent("input.promoted", { key: "a", turn_id: "turn_1" }),
      makeEvent("input.withdrawn", { key: "w", ts: "t", messages: ["a", "b", "none"] }),
    ]);
    expect([...state.pendingInputs.keys()]).toEqual(["c"]);
    expect(state.openTurn).toBe("turn_1");
  });

  it("of a cancellation that names a turn stops only this turn, whether it is open, waits or never comes", () => {
    const message = (nth: number) =>
      makeEvent("input.received", {
        key: `k${nth}`,
        mode: "turn",
        message: "hi",
        attachments: [],
        ts: "t",
        turn_id: `turn_${nth}`,
      });
    const cancel = (turn_id: string) => makeEvent("cancel.requested", { key: `cancel-${turn_id}`, ts: "t", turn_id });
    const opened = (nth: number) => [
      makeEvent("turn.opened", { turn_id: `turn_${nth}`, ts: "t" }),
      makeEvent("input.promoted", { key: `k${nth}`, turn_id: `turn_${nth}` }),
    ];
    const closed = (nth: number) => makeEvent("turn.closed", { turn_id: `turn_${nth}`, ts: "t", exit: "complete" });
    const isCancelled = (...events: readonly TimelineEvent[]) =>
      restoreState(snapshotState(foldEvents(events))).cancelRequested !== null;
    const waits = [message(1), message(2), ...opened(1), cancel("turn_2")];
    expect(isCancelled(...waits)).toBe(false);
    expect(isCancelled(...waits, closed(1), ...opened(2))).toBe(true);
    expect(isCancelled(...waits, closed(1), ...opened(2), closed(2), message(3), ...opened(3))).toBe(false);
    expect(isCancelled(message(1), ...opened(1), cancel("turn_1"))).toBe(true);
    expect(isCancelled(message(1), ...opened(1), closed(1), message(2), cancel("turn_1"), ...opened(2))).toBe(false);
  });

  it("of the events a timeline made, through the codec, gives the state they came from", () => {
    fc.assert(
      fc.property(conversations(), (batches) => {
        const timeline = played(batches);
        for (const event of bookkeeping) applyEvent(timeline.state, event);
        const journal = [...timeline.takeEvents(), ...bookkeeping].map((event) => throughJson(encodeEvent(event)));
        const folded = foldEvents(journal.map(decodeEvent));
        expect(throughJson(snapshotState(folded))).toEqual(throughJson(snapshotState(timeline.state)));
      }),
      { numRuns: costlyRuns },
    );
  });

  it("continues from a snapshot as it does from the journal", () => {
    fc.assert(
      fc.property(conversations(), fc.nat({ max: 40 }), (batches, at) => {
        const events = [...played(batches).takeEvents(), ...bookkeeping];
        const restored = restoreState(throughJson(snapshotState(foldEvents(events.slice(0, at)))));
        const whole = foldEvents(events);
        expect(throughJson(snapshotState(foldEvents(events.slice(at), restored)))).toEqual(
          throughJson(snapshotState(whole)),
        );
      }),
      { numRuns: costlyRuns },
    );
  });

  it("refuses a block that does not follow the ones before it", () => {
    const state = foldEvents([]);
    const event = makeEvent("block.appended", { position: 3, block: make.header("turn_1"), tokens: 1, version: 0 });
    expect(() => applyEvent(state, event)).toThrow(expect.objectContaining({ code: "corrupt" }));
  });
});

/** A value that is not valid as the body of any event. */
const notABody = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.array(fc.anything()),
  fc.constantFrom(null, undefined, true),
  fc.constant({
    conversation_title: 5,
    key: 5,
    turn_id: 5,
    call_id: 5,
    position: -1,
    groups: 5,
    rows: 5,
    cut: 5,
    by: 5,
  }),
);

describe("an open turn", () => {
  it("keeps the choices of its message until it is closed", () => {
    const opened = makeEvent("turn.opened", { turn_id: "turn_1", ts: "t", model: "m" });
    const closed = makeEvent("turn.closed", { turn_id: "turn_1", ts: "t", exit: "complete" });
    expect(foldEvents([opened]).openTurnChoice).toEqual({ model: "m" });
    expect(foldEvents([opened, closed]).openTurnChoice).toEqual({});
  });
});

describe("the codec", () => {
  it("passes events of unknown kinds and unknown fields of known ones on, unchanged", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ minLength: 1 }), fc.jsonValue(), (body, field, value) => {
        fc.pre(!(field in Object.prototype) && field !== "key" && field !== "ts");
        const unknown = throughJson({ kind: "weather.changed", v: 7, body });
        expect(throughJson(encodeEvent(decodeEvent(unknown)))).toEqual({ ...unknown, blobs: [] });
        const known = throughJson({ kind: "cancel.requested", v: 1, body: { key: "k", ts: "t", [field]: value } });
        expect(throughJson(encodeEvent(decodeEvent(known)))).toEqual({ ...known, blobs: [] });
      }),
      { numRuns: costlyRuns },
    );
  });

  it("refuses a newer version of a known kind and says to upgrade", () => {
    for (const kind of Object.keys(EVENT_BODIES) as EventKind[])
      expect(() => decodeEvent({ kind, v: highestVersion(kind) + 1, body: {} })).toThrow(
        expect.objectContaining({ code: "newer_version" }),
      );
  });

  it("writes an event with the lowest version that describes it, so that older programs can read it", () => {
    const input = { key: "k", mode: "turn" as const, message: "", attachments: [], ts: "t" };
    const opened = { turn_id: "turn_1", ts: "t" };
    const versions = [
      ...[{}, { model: "m" }, { agent: "a" }, { agent: undefined }].flatMap((choice) => [
        makeEvent("input.received", { ...input, ...choice }).v,
        makeEvent("turn.opened", { ...opened, ...choice }).v,
      ]),
      makeEvent("title.given", { key: "k", ts: "t", title: "T" }).v,
    ];
    expect(versions).toEqual([1, 1, 2, 2, 2, 2, 1, 1, 1]);
  });

  it("refuses a body that it cannot apply", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(EVENT_BODIES)), notABody, (kind, body) => {
        expect(() => decodeEvent({ kind, v: 1, body })).toThrow(expect.objectContaining({ code: "corrupt" }));
      }),
      { numRuns: costlyRuns },
    );
  });

  it("names the blobs an event refers to", () => {
    const blob = `sha256:${"a".repeat(64)}`;
    const block = { type: "user.attachment", meta: { blob } };
    const appended = makeEvent("block.appended", { position: 0, block, tokens: 1, version: 0 });
    expect(encodeEvent(appended).blobs).toEqual([blob]);
    const attachments = [{ name: "a", mime: "text/plain", blob, size_bytes: 1 }];
    const input = makeEvent("input.received", { key: "k", mode: "turn", message: "", attachments, ts: "t" });
    expect(encodeEvent(input).blobs).toEqual([blob]);
  });
});

import { makeEvent, type TimelineEvent } from "@cairn/timeline";
import type { EventSourceMessage } from "eventsource-parser";
import { describe, expect, test } from "vitest";
import type { ConversationPage } from "../api/client.ts";
import { applyServerEvent } from "./open-session.ts";
import {
  addOlder,
  addOutgoing,
  changeOutgoing,
  isBusy,
  newSession,
  type Outgoing,
  openPage,
  type Session,
} from "./session.ts";

const ts = "2026-02-09T10:00:00.000Z";

const journal = (seq: number, { kind, v, body }: TimelineEvent): EventSourceMessage => ({
  event: kind,
  id: String(seq),
  data: JSON.stringify({ seq, kind, v, body, ts }),
});
const live = (event: string, data: unknown): EventSourceMessage => ({ event, data: JSON.stringify(data) });
const block = (position: number, type: string, text: string, more: object = {}) =>
  makeEvent("block.appended", {
    position,
    block: { type, turn_id: "turn_1", text, ts, ...more },
    tokens: 1,
    version: 1,
  });

const page: ConversationPage = {
  conversation: {
    conversation_id: "c1",
    title: null,
    agent: null,
    created_at: ts,
    last_activity_at: ts,
    status: "idle",
    last_seq: 0,
  },
  listed: true,
  forked_from: null,
  versions: [],
  seq: 0,
  turns: [],
  has_more: false,
  sources: [],
  highest_sid: 0,
  streams: [],
  pending: [],
  approvals: [],
};

const opened = openPage(newSession("c1"), page);

const events: readonly EventSourceMessage[] = [
  journal(1, makeEvent("input.received", { key: "k1", mode: "turn", message: "Hello", attachments: [], ts })),
  journal(2, makeEvent("turn.opened", { turn_id: "turn_1", ts })),
  journal(3, makeEvent("input.promoted", { key: "k1", turn_id: "turn_1" })),
  journal(4, block(0, "user.prompt", "Hello", { path: "ar:turn_1.user.prompt" })),
  live("stream.delta", { stream: "s1", turn_id: "turn_1", kind: "say", offset: 0, text: "Hi " }),
  live("stream.delta", { stream: "s1", turn_id: "turn_1", kind: "say", offset: 3, text: "there" }),
  journal(5, block(1, "assistant.completion", "Hi there", { path: "ar:turn_1.assistant.completion" })),
  journal(6, makeEvent("turn.closed", { turn_id: "turn_1", ts, exit: "complete" })),
];

const after = (count: number, from: Session = opened) => events.slice(0, count).reduce(applyServerEvent, from);

describe("following a conversation", () => {
  test("a message waits, becomes a turn, is answered", () => {
    expect(after(1).view.pending).toHaveLength(1);
    expect(isBusy(after(2))).toBe(true);
    expect(after(3).view.pending).toEqual([]);
    const done = after(8);
    expect(done.view.turns).toMatchObject([
      { prompt: { text: "Hello" }, completion: { text: "Hi there" }, exit: "complete" },
    ]);
    expect(isBusy(done)).toBe(false);
  });

  test("live text is shown while it is written and disappears when its block arrives", () => {
    expect([...after(6).streams.values()]).toMatchObject([{ text: "Hi there", turn_id: "turn_1" }]);
    expect(after(7).streams.size).toBe(0);
  });

  test("events that come again after a reconnect change nothing", () => {
    const done = after(8);
    expect(events.filter(({ id }) => id !== undefined).reduce(applyServerEvent, done)).toBe(done);
  });

  test("events of unknown kinds, and what cannot be read, change nothing but the place", () => {
    const strange = applyServerEvent(after(2), {
      event: "something.new",
      id: "3",
      data: '{"seq":3,"kind":"something.new","v":1,"body":{},"ts":""}',
    });
    expect(strange.view).toMatchObject({ seq: 3, turns: after(2).view.turns });
    for (const event of [live("stream.delta", { no: 1 }), live("progress", null), { event: "x", data: "{" }])
      expect(applyServerEvent(strange, event)).toBe(strange);
  });

  test("the user is told that the model is overloaded until it answers", () => {
    const waiting = applyServerEvent(after(4), live("model.waiting", { reason: "overloaded", ms: 2000 }));
    expect(waiting.waiting).toEqual({ reason: "overloaded", ms: 2000 });
    const delta = { stream: "s1", turn_id: "turn_1", kind: "say", offset: 0, text: "Hi" };
    expect(applyServerEvent(waiting, live("stream.delta", delta)).waiting).toBeNull();
  });

  test("a compaction is shown while it happens, and stays as a line of its turn", () => {
    const compacting = applyServerEvent(after(4), live("compaction.started", { before_tokens: 90_000 }));
    expect(compacting.compacting).toBe(90_000);
    const summary = { type: "conv.range.summary", turn_id: "turn_1", text: "Goal" };
    const body = { cut: 0, position: 99, summary, tokens: 3, version: 1, before_tokens: 90_000, after_tokens: 20_000 };
    const data = JSON.stringify({ seq: 99, kind: "compaction.committed", v: 1, body, ts });
    const over = applyServerEvent(compacting, { event: "compaction.committed", id: "99", data });
    expect(over.compacting).toBeNull();
    expect(over.view.turns.at(-1)?.compactions).toEqual([{ before_tokens: 90_000, after_tokens: 20_000 }]);
  });

  test("progress is shown while a call runs and not after it", () => {
    const running = [
      journal(5, makeEvent("call.started", { turn_id: "turn_1", call_id: "tc_1", tool_id: "x", ts })),
      live("progress", { call_id: "tc_1", text: "half" }),
    ].reduce(applyServerEvent, after(4));
    expect(running.progress.get("tc_1")).toEqual(["half"]);
    const settled = applyServerEvent(
      running,
      journal(6, makeEvent("call.settled", { call_id: "tc_1", outcome: "ok", ts })),
    );
    expect(settled.progress.size).toBe(0);
  });
});

describe("messages on their way", () => {
  const outgoing: Outgoing = {
    key: "k1",
    mode: "turn",
    model: null,
    reasoning: null,
    message: "Hello",
    files: [],
    progress: 0,
    problem: null,
    delay: null,
    acceptedSeq: null,
    prompt: null,
  };

  test("a message is no longer being sent when its event has arrived, before or after the response", () => {
    const sent = addOutgoing(opened, outgoing);
    const answered = changeOutgoing(sent, "k1", { acceptedSeq: 1 });
    expect(answered.outgoing).toHaveLength(1);
    expect(after(1, answered).outgoing).toEqual([]);
    expect(changeOutgoing(after(1, sent), "k1", { acceptedSeq: 1 }).outgoing).toEqual([]);
  });

  test("a message that was refused stays with the reason, also when the conversation is loaded again", () => {
    const refused = changeOutgoing(addOutgoing(opened, outgoing), "k1", { problem: "too large" });
    expect(openPage(refused, page).outgoing).toMatchObject([{ message: "Hello", problem: "too large" }]);
  });
});

test("older turns go before the others, once", () => {
  const done = after(8);
  const [turn] = done.view.turns;
  if (turn === undefined) throw new Error("no turn");
  const later = { ...done, view: { ...done.view, turns: [{ ...turn, n: 3 }] } };
  const older = {
    ...page,
    turns: [
      { ...turn, turn_id: "a", n: 1 },
      { ...turn, turn_id: "b", n: 2 },
      { ...turn, n: 3 },
    ],
  };
  const loaded = addOlder(later, older);
  expect(loaded.view.turns.map(({ n }) => n)).toEqual([1, 2, 3]);
  expect(loaded.view.earlier).toBe(0);
});

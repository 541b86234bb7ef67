/** Laws of views: the same turns are shown, however events arrive and whichever program folds them. */
import { make } from "@cairn/testkit/conversation";
import { runs } from "@cairn/testkit/runs";
import { journalScripts, scriptEvents } from "@cairn/testkit/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "../block/block.ts";
import { decodeEvent, makeEvent } from "../event/codec.ts";
import type { TimelineEvent } from "../event/event.ts";
import { Timeline } from "../timeline.ts";
import { type ConversationView, emptyView } from "./conversation-view.ts";
import type { RoundView } from "./turn/turn-view.ts";
import { type SequencedEvent, viewEvent, viewEvents } from "./view-event.ts";

const deps = { clock: { now: () => 1_770_603_272_000 }, countTokens: (text: string) => Math.ceil(text.length / 4) };
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const ts = "2026-02-09T02:14:32.000Z";

function numbered(events: readonly TimelineEvent[], after = 0): SequencedEvent[] {
  return events.map((event, index) => ({ seq: after + index + 1, event }));
}

/** The events that a turn with these blocks writes, with `before` and `after` around them. */
function eventsOf(write: (timeline: Timeline) => void): TimelineEvent[] {
  const timeline = Timeline.create(deps);
  timeline.openTurn("turn_1");
  write(timeline);
  return timeline.takeEvents().slice();
}

function shownTurn(write: (timeline: Timeline) => void) {
  const turn = viewEvents(numbered(eventsOf(write)), emptyView()).turns[0];
  if (turn === undefined) throw new Error("no turn");
  return turn;
}

const at = { turn: "turn_1", call: "tc_a", iteration: 1 };
const prompt = (text: string, nth = 1): Block => ({
  type: "user.prompt",
  turn_id: "turn_1",
  text,
  path: `ar:turn_1.user.prompt${nth === 1 ? "" : `.${nth}`}`,
});

describe("a view", () => {
  it("is the same whether events are folded at once or one by one, with the view sent over a wire in between", () => {
    fc.assert(
      fc.property(journalScripts(2), fc.nat({ max: 40 }), (script, cut) => {
        const events = numbered(scriptEvents(script));
        const whole = viewEvents(events, emptyView());
        let view: ConversationView = emptyView();
        for (const event of events) {
          view = viewEvent(view, event);
          if (event.seq === cut) view = throughJson(view);
        }
        expect(throughJson(view)).toEqual(throughJson(whole));
        // A follower that reconnects receives some events again, which must change nothing.
        expect(viewEvents(events, view)).toBe(view);
      }),
      { numRuns: runs },
    );
  });

  it("a view that begins with a later turn shows that turn and later ones as the whole view does", () => {
    fc.assert(
      fc.property(journalScripts(3), (script) => {
        const events = numbered(scriptEvents(script));
        const whole = viewEvents(events, emptyView());
        for (const [index, turn] of whole.turns.entries()) {
          const { highest_sid: highestSid } = viewEvents(events.slice(0, turn.opened_seq - 1), emptyView());
          const start = emptyView({ seq: turn.opened_seq - 1, earlier: index, highestSid });
          expect(viewEvents(events, start).turns).toEqual(whole.turns.slice(index));
        }
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
  });

  it("ignores events of unknown kinds", () => {
    const events = numbered([...eventsOf(() => undefined), decodeEvent({ kind: "comet.seen", v: 7, body: { x: 1 } })]);
    const view = viewEvents(events, emptyView());
    expect(view.seq).toBe(events.length);
    expect(view.turns).toEqual(viewEvents(events.slice(0, -1), emptyView()).turns);
  });

  it("never holds a hosting field", () => {
    const turn = shownTurn((timeline) => {
      timeline.contribute([prompt("Hi"), ...make.attachment("turn_1", { name: "a.pdf", mime: "application/pdf" })]);
      timeline.contribute([
        make.call(at, "x.y", {}),
        ...make.file(at, { name: "b.md", mime: "text/markdown", text: "B" }),
      ]);
    });
    expect(turn.attachments[0]?.path).toBe("fi:turn_1.user.attachments/a.pdf");
    expect(turn.files[0]).toMatchObject({ path: "fi:turn_1.files/b.md", name: "b.md", hosted: true, version: 1 });
    expect(JSON.stringify(turn)).not.toContain(make.HOSTING_SECRET);
  });
});

describe("rounds", () => {
  const settle = (
    timeline: Timeline,
    call: string,
    outcome: "ok" | "error" | "interrupted",
    blocks: readonly Block[],
  ) => {
    timeline.contribute(blocks);
    timeline.record("call.settled", { call_id: call, outcome, ts });
  };
  const start = (timeline: Timeline, call: string) => {
    timeline.contribute([make.call({ ...at, call }, "web_tools.web_fetch", { urls: [call] })]);
    timeline.record("call.started", { turn_id: "turn_1", call_id: call, tool_id: "web_tools.web_fetch", ts });
  };
  const withoutPlaces = (rounds: readonly RoundView[]) =>
    rounds.map((round) => ({ ...round, results: round.results.map(({ text }) => text) }));

  it("are in the order of their calls, in whatever order their results arrive", () => {
    const calls = ["tc_a", "tc_b", "tc_c", "tc_d"];
    const show = (order: readonly string[]) =>
      shownTurn((timeline) => {
        for (const call of calls) start(timeline, call);
        for (const call of order) settle(timeline, call, "ok", [make.result({ ...at, call }, `Result of ${call}`)]);
      });
    const expected = withoutPlaces(show(calls).rounds);
    fc.assert(
      fc.property(fc.shuffledSubarray(calls, { minLength: calls.length }), (order) => {
        expect(withoutPlaces(show(order).rounds)).toEqual(expected);
      }),
      { numRuns: 24 },
    );
  });

  it("accept a result that arrives while another turn is running", () => {
    const events = eventsOf((timeline) => {
      start(timeline, "tc_a");
      timeline.closeTurn("complete");
      timeline.openTurn("turn_2");
      settle(timeline, "tc_a", "ok", [make.result(at, "late")]);
    });
    const [first, second] = viewEvents(numbered(events), emptyView()).turns;
    expect(first?.rounds).toMatchObject([{ status: "ok", results: [{ text: "late" }] }]);
    expect(second?.rounds).toEqual([]);
  });

  it("say why a call failed, and that the outcome of an interrupted one is unknown", () => {
    const error = { code: "tool_interrupted", message: "Unknown." };
    const turn = shownTurn((timeline) => {
      start(timeline, "tc_a");
      settle(timeline, "tc_a", "interrupted", [make.digest(at, { error })]);
    });
    expect(turn.rounds).toMatchObject([{ status: "interrupted", error, settled_at: ts }]);
  });

  it("wait for consent until it is given, and are listed until then", () => {
    const ask = eventsOf((timeline) => {
      timeline.contribute([make.call(at, "shop.order", { what: "tea" })]);
      timeline.record("approval.requested", {
        call_id: "tc_a",
        tool_id: "shop.order",
        params: { what: "tea" },
        turn_id: "turn_1",
        ts,
      });
    });
    const asked = viewEvents(numbered(ask), emptyView());
    expect(asked.approvals).toEqual([
      { call_id: "tc_a", tool_id: "shop.order", params: { what: "tea" }, hash: null, turn_id: "turn_1" },
    ]);
    expect(asked.turns[0]?.rounds[0]?.status).toBe("waiting_approval");
    const given = makeEvent("approval.given", { key: "k", call_id: "tc_a", approve: true, ts });
    const started = makeEvent("call.started", { turn_id: "turn_1", call_id: "tc_a", tool_id: "shop.order", ts });
    const going = viewEvents(numbered([given, started], asked.seq), asked);
    expect(going.approvals).toEqual([]);
    expect(going.turns[0]?.rounds[0]?.status).toBe("running");
  });

  it("cut long results at 20 KB and say so; written content is a file, read content is a result", () => {
    const turn = shownTurn((timeline) => {
      timeline.contribute([
        make.call(at, "web_tools.web_fetch", {}),
        make.result(at, "é".repeat(30_000), "text/plain"),
      ]);
      const write = { ...at, call: "tc_b" };
      timeline.contribute([make.call(write, "react.write", {})]);
      timeline.contribute(make.file(write, { name: "r.md", mime: "text/markdown", text: "Report" }));
      const read = { ...at, call: "tc_c" };
      timeline.contribute([make.call(read, "react.read", {})]);
      const path = "fi:turn_1.files/r.md";
      timeline.contribute([make.blockOf(read, "react.tool.result", path, { mime: "text/markdown", text: "Report" })]);
    });
    const [fetched, written, readBack] = turn.rounds;
    expect(fetched?.results[0]).toMatchObject({ cut: true });
    expect(new TextEncoder().encode(fetched?.results[0]?.text).length).toBeLessThan(20_600);
    expect(written).toMatchObject({ results: [], files: [{ name: "r.md" }], status: "ok" });
    expect(readBack).toMatchObject({ results: [{ text: "Report" }], files: [] });
    expect(turn.files).toHaveLength(1);
  });
});

describe("a turn", () => {
  it("shows the prompt, steering messages, plan, notices, answer and suggestions", () => {
    const plan = { plan_id: "p", steps: ["Read", "Write"], status: { 1: "done", 2: "in_progress" } };
    const turn = shownTurn((timeline) => {
      timeline.contribute([prompt("Report, please."), prompt("Shorter!", 2)]);
      timeline.contribute(make.attachment("turn_1", { name: "s.txt", mime: "text/plain" }));
      timeline.contribute([make.notes(at, "I plan."), make.call(at, "react.plan", { mode: "new" })]);
      timeline.contribute([{ type: "react.plan", turn_id: "turn_1", text: JSON.stringify(plan) }]);
      timeline.contribute([make.notice(at, "a.code", "Mind the gap.")]);
      timeline.contribute([
        {
          type: "assistant.completion",
          turn_id: "turn_1",
          path: "ar:turn_1.assistant.completion",
          text: "Done [[S:1]]",
        },
        { type: "stage.suggested_followups", turn_id: "turn_1", text: '["And now?"]' },
        { type: "react.exit", turn_id: "turn_1", text: '{"exit":"error","error":{"code":"c","message":"m"}}' },
      ]);
      timeline.record("feedback.received", { key: "f", turn_id: "turn_1", reaction: "up", ts });
      timeline.closeTurn("complete");
    });
    expect(turn).toMatchObject({
      n: 1,
      exit: "complete",
      prompt: { text: "Report, please." },
      attachments: [],
      followups: ["And now?"],
      inputs: [{ mode: "steer", text: "Shorter!", attachments: [{ name: "s.txt" }] }],
      rounds: [{ notes: "I plan.", tool_id: "react.plan", params: { mode: "new" } }],
      plan: {
        id: "p",
        closed: false,
        steps: [
          { text: "Read", status: "done" },
          { text: "Write", status: "in_progress" },
        ],
      },
      completion: { text: "Done [[S:1]]", interrupted: false },
      notices: [{ code: "a.code", message: "Mind the gap.", call_id: "tc_a" }],
      feedback: [{ reaction: "up", ts }],
      error: { code: "c", message: "m" },
    });
  });

  it("names the prompt of an MCP server that a message was made with, and ignores one that is malformed", () => {
    const made = (nth: number, from: Block["meta"]): Block => ({
      ...prompt("Greet Eve.", nth),
      meta: { prompt: from },
    });
    const turn = shownTurn((timeline) => {
      timeline.contribute([made(1, { server: "shop", name: "greeting", arguments: {} })]);
      timeline.contribute([made(2, { server: "shop", name: "sum" }), made(3, { server: 1, name: "sum" })]);
    });
    expect(turn.prompt).toEqual({ text: "Greet Eve.", ts: expect.anything(), made_with: "shop.greeting" });
    expect(turn.inputs.map(({ made_with }) => made_with)).toEqual(["shop.sum", undefined]);
  });

  it("keeps unprocessed messages separate until they are promoted", () => {
    const input = makeEvent("input.received", { key: "k", mode: "turn", message: "Hi", attachments: [], ts });
    const waiting = viewEvents(numbered([input]), emptyView());
    expect(waiting.pending).toEqual([{ key: "k", mode: "turn", message: "Hi", attachments: [], ts }]);
    const promoted = viewEvent(waiting, {
      seq: 2,
      event: makeEvent("input.promoted", { key: "k", turn_id: "turn_1" }),
    });
    expect(promoted.pending).toEqual([]);
  });

  it("shares every other turn with the view it was folded from", () => {
    const events = numbered(
      eventsOf((timeline) => {
        timeline.contribute([prompt("one")]);
        timeline.closeTurn("complete");
        timeline.openTurn("turn_2");
      }),
    );
    const before = viewEvents(events.slice(0, -1), emptyView());
    const after = viewEvents(events.slice(-1), before);
    expect(after.turns[0]).toBe(before.turns[0]);
  });
});

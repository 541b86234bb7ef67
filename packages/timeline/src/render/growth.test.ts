/** Tests how the work of appending a round grows when the conversation doubles: 1 is no growth, 2 is double. */
import { make } from "@cairn/testkit/conversation";
import { growthOnDoubling } from "@cairn/testkit/growth";
import { expect, test } from "vitest";
import { Timeline } from "../timeline.ts";

const deps = { clock: { now: () => 0 }, countTokens: (text: string) => Math.ceil(text.length / 4) };
const ROUNDS_PER_TURN = 5;
/** Enough rounds to measure, but so few that the conversation stays about as long as it was. */
const APPENDED = 100;

test("a round that is appended and rendered costs no more in a conversation of twice the length", () => {
  const growth = growthOnDoubling(conversation, appendRounds, 200);
  expect(growth).toBeLessThan(1.35);
});

test("a round that brings sources costs little more in a conversation of twice the length", () => {
  const growth = growthOnDoubling(conversation, (timeline) => appendRounds(timeline, true), 200);
  expect(growth).toBeLessThan(1.35);
});

let calls = 0;

function conversation(turns: number): Timeline {
  const timeline = Timeline.create(deps);
  for (let nth = 0; nth < turns; nth++) {
    timeline.openTurn(`turn_${nth}`);
    appendRounds(timeline, true, ROUNDS_PER_TURN);
  }
  timeline.takeEvents();
  return timeline;
}

function appendRounds(timeline: Timeline, withSources = false, rounds = APPENDED): number {
  let read = 0;
  for (let nth = 0; nth < rounds; nth++) {
    const id = calls++;
    const at = { turn: "turn_0", call: `tc_${id}`, iteration: id };
    if (withSources && nth % ROUNDS_PER_TURN === 0)
      timeline.mergeSources([{ source_type: "web", url: `https://example.com/${id}`, title: `Page ${id}` }]);
    timeline.contribute([
      make.notes(at, "Looking into it."),
      make.call(at, "react.memsearch", { query: "budget" }),
      make.result(at, "x".repeat(1_000), "text/plain"),
    ]);
    const view = timeline.render({ includeSources: true });
    for (const message of view.tail) read += message.type === "text" ? message.text.length : 0;
  }
  return read;
}

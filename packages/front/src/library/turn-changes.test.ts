import { make } from "@cairn/testkit/conversation";
import { Timeline } from "@cairn/timeline";
import { expect, it } from "vitest";
import type { Approval } from "./run-part.ts";
import { runParts } from "./run-parts.ts";
import { TurnChanges } from "./turn-changes.ts";

const turnId = "turn_1";
const ts = "2026-02-09T02:14:32.000Z";
const ask = ({ id }: Approval) => ({ type: "notice" as const, code: "asked", message: "", id });

/** The events of a turn with a thought of the model and a call. */
function thinkingTurn() {
  const at = { turn: turnId, call: "tc_a", iteration: 1 };
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (text) => text.length });
  timeline.openTurn(turnId);
  timeline.contribute([make.blockOf(at, "react.thinking", `ar:${turnId}.thinking.1`, { text: "First, count." })]);
  timeline.contribute([make.call(at, "shop.count", {})]);
  timeline.record("turn.closed", { turn_id: turnId, exit: "complete", ts });
  return timeline
    .takeEvents()
    .map((event, index) => ({ type: "event" as const, stored: { seq: index + 1, event, stored_at: 0 } }));
}

it("reasoning that was not streamed is reported with its block, and streamed reasoning only once", () => {
  const events = thinkingTurn();
  const late = new TurnChanges({ turnId, sources: [] });
  const reported = events.flatMap((item) => late.take(item)).flatMap((change) => runParts(change, ask));
  expect(reported).toEqual([{ type: "reasoning", id: expect.any(String), text: "First, count." }]);

  const watching = new TurnChanges({ turnId, sources: [] });
  const text = "First, count.";
  const streamed = {
    type: "delta" as const,
    turn_id: turnId,
    stream: "s1",
    kind: "thinking" as const,
    offset: 0,
    text,
  };
  const [opened, ...rest] = events;
  const parts = [opened, streamed, ...rest]
    .flatMap((item) => (item === undefined ? [] : watching.take(item)))
    .flatMap((change) => runParts(change, ask));
  expect(parts).toEqual([{ type: "reasoning", id: "s1", text }]);
});

it("an answer that cites 20,000 sources reads each source a few times, and links every one of them", () => {
  const count = 20_000;
  let reads = 0;
  const sources = Array.from({ length: count }, (_, index) => ({
    get sid() {
      reads++;
      return index + 1;
    },
    title: `T${index + 1}`,
    url: `https://example.com/${index + 1}`,
  }));
  const text = sources.map((_, index) => `[[S:${index + 1}]]`).join("\n");
  const at = { turn: turnId, call: "tc_a", iteration: 1 };
  const timeline = Timeline.create({ clock: { now: () => 0 }, countTokens: (given) => given.length });
  timeline.openTurn(turnId);
  const meta = { sources_known: count };
  timeline.contribute([make.blockOf(at, "assistant.completion", `ar:${turnId}.assistant.completion`, { text, meta })]);
  timeline.record("turn.closed", { turn_id: turnId, exit: "complete", ts });
  const changes = new TurnChanges({ turnId, sources });
  for (const [index, event] of timeline.takeEvents().entries())
    changes.take({ type: "event", stored: { seq: index + 1, event, stored_at: 0 } });
  const links = sources.map((_, index) => `[T${index + 1}](https://example.com/${index + 1})`);
  expect(changes.text).toBe(links.join("\n"));
  expect(reads).toBeLessThan(10 * count);
});

import type { LiveEvent } from "@cairn/api";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { applyDelta, discardStream, endStreams, type OpenStreams } from "./live-text.ts";

const none: OpenStreams = new Map();
const delta = (
  offset: number,
  text: string,
  more: Partial<LiveEvent<"stream.delta">> = {},
): LiveEvent<"stream.delta"> => ({
  stream: "s1",
  turn_id: "turn_1",
  kind: "say",
  offset,
  text,
  ...more,
});
const textOf = (streams: OpenStreams) => [...streams.values()].map(({ text }) => text);

test("pieces that come again, as after a reconnect, change nothing", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.nat()), fc.array(fc.nat()), (text, cuts, again) => {
      const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1))])].sort((a, b) => a - b);
      const pieces = places.map((from, index) => delta(from, text.slice(from, places[index + 1] ?? text.length)));
      let streams = none;
      for (const [index, piece] of pieces.entries()) {
        streams = applyDelta(streams, piece);
        const earlier = pieces[(again[index] ?? index) % (index + 1)];
        if (earlier !== undefined) streams = applyDelta(streams, earlier);
      }
      streams = applyDelta(streams, delta(0, text));
      expect(textOf(streams)).toEqual([text]);
    }),
    { numRuns: runs },
  );
});

test("the reasoning and the notes of a decision are two texts of one stream", () => {
  const streams = applyDelta(applyDelta(none, delta(0, "hm", { kind: "thinking" })), delta(0, "Hello"));
  expect(textOf(streams)).toEqual(["hm", "Hello"]);
  expect(discardStream(streams, "s1").size).toBe(0);
});

test("the end of one turn's texts leaves those of another", () => {
  const streams = applyDelta(applyDelta(none, delta(0, "a")), delta(0, "b", { stream: "s2", turn_id: "turn_2" }));
  expect(textOf(endStreams(streams, "turn_1"))).toEqual(["b"]);
});

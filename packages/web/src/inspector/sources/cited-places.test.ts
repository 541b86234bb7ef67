import type { Block } from "@cairn/api";
import { expect, test } from "vitest";
import { placesOf } from "./cited-places.ts";

function block(position: number, text: string | null): Block {
  return {
    position,
    seq: position + 1,
    turn_id: "turn_1",
    type: "assistant.completion",
    path: null,
    mime: null,
    tokens: 1,
    version: 0,
    text,
    cut: false,
    meta: {},
    state: "visible",
    shown_lines: null,
    replacement: null,
  };
}

test("a source is cited where a token names it, by itself, in a list or in a range", () => {
  const places = placesOf([block(1, "One [[S:1]]."), block(4, "More [[S:1,3-4]] and [[S:3]]."), block(5, null)]);
  const cited = [...places].map(([sid, blocks]) => [sid, blocks.map(({ position }) => position)]);
  expect(cited).toEqual([
    [1, [1, 4]],
    [3, [4]],
    [4, [4]],
  ]);
});

import { expect, it } from "vitest";
import { uniteResets } from "./reset.ts";

it("causes that wait for one request are each named once, with everything they covered", () => {
  expect(
    uniteResets([
      { cause: "turn_prune", blocks: 3 },
      { cause: "hide", blocks: 1, tokens: 40 },
      { cause: "turn_prune", blocks: 2 },
      { cause: "hide", blocks: 1, tokens: 2 },
      { cause: "system_changed" },
    ]),
  ).toEqual([
    { cause: "turn_prune", blocks: 5 },
    { cause: "hide", blocks: 2, tokens: 42 },
    { cause: "system_changed" },
  ]);
});

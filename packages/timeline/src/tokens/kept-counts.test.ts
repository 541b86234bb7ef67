import { expect, test } from "vitest";
import { KEPT_TEXTS, keepCounts } from "./kept-counts.ts";

const textOf = (number: number) => `${number} `.repeat(1_000);

test("a long text that is counted in every round is counted once, whatever else is counted between", () => {
  const counted: string[] = [];
  const count = keepCounts((text) => counted.push(text));
  const tools = textOf(0);
  const first = count(tools);
  for (let round = 1; round <= 3 * KEPT_TEXTS; round++) {
    count(textOf(round));
    expect(count(textOf(0))).toBe(first);
  }
  expect(counted.filter((text) => text === tools)).toHaveLength(1);
});

test("only some texts are kept", () => {
  const counted: string[] = [];
  const count = keepCounts((text) => counted.push(text));
  for (let number = 0; number <= KEPT_TEXTS; number++) count(textOf(number));
  count(textOf(0));
  expect(counted.filter((text) => text === textOf(0))).toHaveLength(2);
});

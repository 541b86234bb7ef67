import { expect, test } from "vitest";
import { formatCost, formatShare, formatShort, plural } from "./format-count.ts";

test("numbers are short and not misleading", () => {
  expect([0, 950, 1_234, 99_949, 250_000, 999_499, 1_200_000].map(formatShort)).toEqual([
    ...["0", "950", "1.2k", "99.9k", "250k", "999k", "1.2M"],
  ]);
  expect([0, 0.004, 0.5, 0.9951, 1].map(formatShare)).toEqual(["0 %", "< 1 %", "50 %", "99 %", "100 %"]);
  expect([0, 0.000041, 0.0123, 0.5, 1.239].map(formatCost)).toEqual(["–", "$0.0000410", "$0.0123", "$0.500", "$1.24"]);
  expect([plural(1, "block"), plural(1_200, "block")]).toEqual(["1 block", "1,200 blocks"]);
});

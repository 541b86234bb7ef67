import { expect, it } from "vitest";
import { growthOnDoubling } from "./growth.ts";

/** Work that the compiler cannot remove as unused. */
function spin(steps: number): number {
  let sum = 0;
  for (let i = 0; i < steps; i++) sum = (sum * 31 + i) | 0;
  return sum;
}

it("tells linear work from quadratic work", () => {
  expect(
    growthOnDoubling(
      (size) => size,
      (size) => spin(size * 200),
      500,
    ),
  ).toBeLessThan(2.6);
  expect(
    growthOnDoubling(
      (size) => size,
      (size) => spin(size * size),
      125,
    ),
  ).toBeGreaterThan(3.3);
});

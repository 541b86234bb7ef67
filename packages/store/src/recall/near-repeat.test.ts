import { expect, it } from "vitest";
import { NearRepeats } from "./near-repeat.ts";

it("takes texts with almost the same words for repeats, but not those with other numbers", () => {
  const repeats = new NearRepeats();
  const long = "Please remember to water all the plants in the kitchen and on the balcony twice a week";
  expect(repeats.find(long)).toBe(-1);
  expect(repeats.find("Something else.")).toBe(-1);
  expect(repeats.find(`${long.toUpperCase()}!`)).toBe(0);
  expect(repeats.find(`${long}, thanks`)).toBe(0);
  expect(repeats.find(`${long} 3`)).toBe(-1);
  expect(repeats.find("something, else")).toBe(1);
  expect(repeats.find("Something else again.")).toBe(-1);
});

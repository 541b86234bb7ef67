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

it("keeps texts apart that tell the words in another order, deny them, or go on differently", () => {
  const repeats = new NearRepeats();
  expect(repeats.find("Alice paid Bob for the lunch")).toBe(-1);
  expect(repeats.find("Bob paid Alice for the lunch")).toBe(-1);
  const plan = (word: string) => `The move to the new office on Friday evening was ${word} approved by the manager`;
  expect(repeats.find(plan(""))).toBe(-1);
  expect(repeats.find(plan("not"))).toBe(-1);
  expect(repeats.find(plan("finally"))).toBe(2);
  const heading = "The same heading stands above every report of the week. ".repeat(50);
  expect(repeats.find(`${heading} Sales rose in the north, and the code for the door is alpha.`)).toBe(-1);
  expect(repeats.find(`${heading} Nobody was ill, and a new printer has come: it is slow.`)).toBe(-1);
  expect(repeats.find(`${heading} Sales rose in the north, and the code for the door is alpha!`)).toBe(4);
});

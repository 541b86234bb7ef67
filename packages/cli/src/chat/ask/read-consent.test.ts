import { expect, it } from "vitest";
import { readConsent } from "./read-consent.ts";

it.each([
  ["y", { approve: true }],
  ["Yes, but only one", { approve: true, reason: "but only one" }],
  ["a", { approve: true, remember: true }],
  ["always", { approve: true, remember: true }],
  ["", { approve: false }],
  ["n", { approve: false }],
  ["No: too expensive", { approve: false, reason: "too expensive" }],
  ["you should ask Bob", { approve: false, reason: "you should ask Bob" }],
  ["a car is too much", { approve: false, reason: "a car is too much" }],
  ["another one", { approve: false, reason: "another one" }],
])("the answer %j to a question for approval is read with its reason", (line, expected) => {
  expect(readConsent(line)).toEqual(expected);
});

import { EFFORTS, reasoningSchema } from "@cairn/timeline";
import { expect, test } from "vitest";
import { chooseBudget, chooseEffort, chosenReasoning } from "./chosen-reasoning.ts";

test("every effort that the server accepts can be chosen, with a budget or without, and given up", () => {
  for (const effort of EFFORTS) {
    chooseEffort(effort);
    expect(chosenReasoning()).toEqual({ effort });
  }
  chooseBudget("8000");
  expect(chosenReasoning()).toEqual({ effort: "max", budget_tokens: 8_000 });
  chooseEffort("");
  expect(chosenReasoning()).toEqual({ budget_tokens: 8_000 });
  chooseBudget("");
  expect(chosenReasoning()).toBeNull();
});

test("a chosen budget is always one that the server accepts", () => {
  for (const [given, budget] of [
    ["0", 1],
    ["-5", 1],
    ["1.9", 1],
    ["2000000", 1_000_000],
    ["1e99", 1_000_000],
    ["4096", 4_096],
  ] as const) {
    chooseBudget(given);
    expect(chosenReasoning()).toEqual({ budget_tokens: budget });
    expect(reasoningSchema.safeParse(chosenReasoning()).success).toBe(true);
  }
  for (const given of ["", " ", "many"]) {
    chooseBudget(given);
    expect(chosenReasoning()).toBeNull();
  }
});

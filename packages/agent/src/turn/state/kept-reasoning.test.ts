import { expect, it } from "vitest";
import { gatherAnswer } from "../../protocol/ask-model.ts";
import { reasoningOfAnswer } from "./kept-reasoning.ts";

type Part = readonly ["think" | "say" | "call", string];

/** The pieces that are kept of an answer with this text: each with its text and its place. */
async function keptBy(text: string, ...parts: readonly Part[]): Promise<unknown> {
  const raw = await gatherAnswer(
    (async function* () {
      for (const [type, given] of parts)
        if (type === "think") yield { type: "reasoning" as const, text: given, options: { openai: { itemId: given } } };
        else if (type === "say") yield { type: "text" as const, text: given };
        else yield { type: "call" as const, index: 0, name: given };
    })(),
    () => undefined,
  );
  const { reasoning } = reasoningOfAnswer({ model: "m", raw }, text);
  const { pieces = [] } = (reasoning ?? {}) as { pieces?: { text: string; after: number }[] };
  return pieces.map((piece) => [piece.text, piece.after]);
}

it("an answer keeps the reasoning before and within its text, and none after it", async () => {
  const parts: Part[] = [
    ["think", "a"],
    ["say", "\nYes, "],
    ["think", "b"],
    ["say", "it is.\n"],
    ["think", "c"],
    ["call", "suggest_followups"],
  ];
  expect(await keptBy("Yes, it is.", ...parts)).toEqual([
    ["a", 0],
    ["b", 5],
  ]);
});

it("structured output has its first reasoning before it, and no second one that would directly follow", async () => {
  const parts: Part[] = [
    ["think", "a"],
    ["think", "b"],
    ["say", "Here is the value."],
    ["think", "c"],
    ["call", "give_output"],
  ];
  expect(await keptBy('{"the":"whole value, which is longer"}', ...parts)).toEqual([
    ["a", 0],
    ["b", 0],
  ]);
});

it("a question keeps the reasoning between the words before it and the question", async () => {
  const parts: Part[] = [
    ["say", "I see two."],
    ["think", "a"],
    ["call", "ask_user"],
  ];
  expect(await keptBy("I see two.\n\nWhich one?", ...parts)).toEqual([["a", 10]]);
});

it("an answer to which the model contributed nothing keeps no reasoning", async () => {
  expect(await keptBy("I had to stop: the budget is used up.", ["think", "a"], ["say", " \n"])).toEqual([]);
});

import { expect, it } from "vitest";
import { askQuestion } from "./ask-question.ts";

const form = {
  type: "object",
  properties: { size: { type: "string", enum: ["s", "m"], title: "Size" }, count: { type: "integer", default: 1 } },
  required: ["size"],
};

async function answer(lines: readonly string[], question: Parameters<typeof askQuestion>[0]) {
  const shown: string[] = [];
  const left = [...lines];
  const given = await askQuestion(
    question,
    (line) => shown.push(line),
    async (text) => {
      shown.push(text);
      return left.shift() ?? null;
    },
  );
  return { given, shown };
}

it("the fields of a question are asked one after the other, without the codes of a terminal", async () => {
  const { given, shown } = await answer(["y", "m", ""], { message: "Which\u001b[2J size?", form });
  expect(given).toEqual({ approve: true, answer: { size: "m" } });
  expect(shown).toEqual([
    "Which size?",
    "Answer? [y: yes, N: decline, c: close without an answer] ",
    "Size (s, m; required): ",
    "count (default: 1): ",
  ]);
});

it("a question is declined without a clear yes, closed with c, and left alone when the input ends", async () => {
  expect((await answer([""], { message: "?", form })).given).toEqual({ approve: false, dismiss: false });
  expect((await answer(["c"], { message: "?", form })).given).toEqual({ approve: false, dismiss: true });
  expect((await answer(["y"], { message: "?", form })).given).toBeNull();
});

it("a page to visit is shown", async () => {
  const { given, shown } = await answer(["yes"], { message: "Pay", url: "https://shop.example/pay" });
  expect(shown).toContain("Visit: https://shop.example/pay");
  expect(given).toEqual({ approve: true, answer: {} });
});

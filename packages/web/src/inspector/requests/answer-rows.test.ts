import type { AnswerPart } from "@cairn/api";
import { expect, test } from "vitest";
import { answerRows } from "./answer-rows.ts";

const part: AnswerPart = { kind: "answer", position: 7, tool_id: null, text: "Nine cairns.", tokens: 3 };

test("every part of an answer is named, a call by its tool, and a long part is closed at first", () => {
  const rows = answerRows([
    { ...part, kind: "thinking", position: 5, text: "x".repeat(2_000) },
    { ...part, kind: "call", position: 6, tool_id: "survey.search", text: '{"from":1}' },
    part,
    { ...part, kind: "failure", position: 8 },
  ]);
  expect(rows.map(({ key, label, language, isShort }) => [key, label, language, isShort])).toEqual([
    ["answer 5", "Reasoning", "", false],
    ["answer 6", "Call: survey.search", "json", true],
    ["answer 7", "Answer", "", true],
    ["answer 8", "Written by Cairn, because the turn failed", "", true],
  ]);
});

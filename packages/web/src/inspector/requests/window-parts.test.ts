import { expect, test } from "vitest";
import { toolSizes, windowParts } from "./window-parts.ts";

const sizes = { system: 10, tools: 20, stable: 60, tail: 5 };
const told = (tokens: number, output: number) =>
  windowParts(sizes, { tokens, output }).map(({ name, tokens: size }) => [name, size]);

test("the window is its parts, the room for the answer, and what is free", () => {
  expect(told(200, 50)).toEqual([
    ["system", 10],
    ["tools", 20],
    ["history", 60],
    ["tail", 5],
    ["for the answer", 50],
    ["free", 55],
  ]);
});

test("a full window has nothing free, and less room for the answer than asked for", () => {
  expect(told(100, 50).slice(-2)).toEqual([
    ["for the answer", 5],
    ["free", 0],
  ]);
  expect(told(90, 50).slice(-2)).toEqual([
    ["for the answer", 0],
    ["free", 0],
  ]);
});

test("each tool gets its share of the tokens of all tools by length, the largest first", () => {
  const json = JSON.stringify([{ name: "a" }, { name: "b", description: "x".repeat(4_000) }]);
  expect(toolSizes({ json, tokens: 1_000 })).toEqual([
    { name: "b", tokens: 997 },
    { name: "a", tokens: 3 },
  ]);
  expect(toolSizes({ json: "[]", tokens: 0 })).toEqual([]);
});

import { expect, it } from "vitest";
import { identicalPairs } from "./identical-runs.ts";

const run = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}(${n});`).join("\n");
const pairsOf = (files: Readonly<Record<string, string>>) => identicalPairs(new Map(Object.entries(files)));

it("six equal lines in a row are a pair, at any indentation, and five are not", () => {
  const indented = run("same", 6).replaceAll("same", "    same");
  expect(pairsOf({ "a.ts": `first();\n${run("same", 6)}`, "b.ts": indented })).toEqual([
    { places: ["a.ts:2", "b.ts:1"], lines: 6 },
  ]);
  expect(pairsOf({ "a.ts": run("same", 5), "b.ts": run("same", 5) })).toEqual([]);
});

it("comments, blank lines, imports and closing brackets neither count nor interrupt", () => {
  const spaced = run("same", 6).replaceAll("\n", '\n\n// why\n});\nimport "x";\n');
  expect(pairsOf({ "a.ts": run("same", 6), "b.ts": spaced })).toMatchObject([{ lines: 6 }]);
});

it("two files are one pair, and so is a file that repeats itself", () => {
  const twice = `${run("one", 7)}\nbetween();\n${run("two", 6)}`;
  expect(pairsOf({ "a.ts": twice, "b.ts": twice.replace("between", "other") })).toMatchObject([{ lines: 7 }]);
  expect(pairsOf({ "a.ts": `${run("one", 6)}\nbetween();\n${run("one", 6)}` })).toMatchObject([{ lines: 6 }]);
});

it("code in more than eight places is an idiom and no pair", () => {
  const files = Array.from({ length: 9 }, (_, n) => [`${n}.ts`, run("same", 6)]);
  expect(pairsOf(Object.fromEntries(files))).toEqual([]);
});

import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { closeHalfOpen } from "./half-open.ts";
import { lexMarkdown } from "./lex.ts";

test("marks that are open are closed, and one with nothing behind it yet is left out", () => {
  expect(closeHalfOpen("It is **bef")).toBe("It is **bef**");
  expect(closeHalfOpen("It is **")).toBe("It is");
  expect(closeHalfOpen("a *slanted **bold")).toBe("a *slanted **bold***");
  expect(closeHalfOpen("run `npm st")).toBe("run `npm st`");
  expect(closeHalfOpen("run `a ** b` and ~~old")).toBe("run `a ** b` and ~~old~~");
  expect(closeHalfOpen("first **done**\n\nthen **mo")).toBe("first **done**\n\nthen **mo**");
});

test("a link shows its words until its address is there, and of a citation nothing is shown before it can be read", () => {
  expect(closeHalfOpen("see [the map](https://exa")).toBe("see the map");
  expect(closeHalfOpen("see [the map]")).toBe("see the map");
  for (const half of ["[", "[[", "[[S", "[[S:", "[[S:1", "[[S:1,", "[[S:1]", "［［s：2"])
    expect(closeHalfOpen(`so it is ${half}`)).toBe("so it is ");
  expect(closeHalfOpen("so it is [[S:1]]")).toBe("so it is [[S:1]]");
});

test("the first line of a table is a table, and a formula is its source until it ends", () => {
  for (const half of ["| a | b |", "| a | b |\n", "| a | b |\n|:-", "| a | b |\n|:--|--:|"])
    expect(lexMarkdown(closeHalfOpen(half))[0]?.type).toBe("table");
  expect(closeHalfOpen("| a")).toBe("| a");
  for (const half of ["$$", "$$\n\\frac{a_1}{b_", "\\[ x_1 + x_"])
    expect(lexMarkdown(closeHalfOpen(`so:\n\n${half}`)).at(-1)).toMatchObject({ type: "code", lang: "tex" });
  expect(closeHalfOpen("$$\nx\n$$")).toBe("$$\nx\n$$");
});

test("code, prices and literal stars are not changed", () => {
  const same = [
    "```ts\nconst a = **b",
    "it costs $5 and 2*3 stones",
    "* one\n* two",
    "a \\** b",
    "2 ** 3",
    "[x] done",
    "plain",
  ];
  for (const text of same) expect(closeHalfOpen(text)).toBe(text);
  expect(closeHalfOpen("```\na\n```\n\nand **b")).toBe("```\na\n```\n\nand **b**");
});

test("text before the last empty line is never changed, and every text is drawn", () => {
  const piece = fc.constantFrom(
    "**",
    "*",
    "`",
    "~~",
    "[",
    "]",
    "(",
    "|",
    "\n",
    "\n\n",
    "$$",
    "\\[",
    "[[S:1]]",
    "```",
    "a ",
    " b",
    "- ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join("");
      const closed = closeHalfOpen(text);
      const before = text.lastIndexOf("\n\n");
      expect(closed.startsWith(before < 0 ? "" : text.slice(0, before))).toBe(true);
      expect(
        lexMarkdown(closed)
          .map(({ raw }) => raw)
          .join("")
          .trim(),
      ).toBe(closed.trim());
    }),
    { numRuns: runs },
  );
});

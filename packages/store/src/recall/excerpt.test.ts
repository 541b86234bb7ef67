import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analyseQuery } from "./analyse.ts";
import { excerptOf } from "./excerpt.ts";

describe("an excerpt", () => {
  const filler = "Nothing of interest stands here. ".repeat(40);

  it("is around the most important words, in whatever form they occur", () => {
    const text = `${filler}We saw a boat. ${filler}She sold three canoes at the lake. ${filler}`;
    expect(excerptOf(text, analyseQuery("selling a canoe"))).toContain("sold three canoes");
    const groups = analyseQuery("boat canoe");
    expect(excerptOf(text, groups, [9, 1])).toContain("a boat");
    expect(excerptOf(text, groups, [1, 9])).toContain("canoes");
  });

  it("is found in a very long text, too", () => {
    const text = `${filler.repeat(100)}The password is swordfish. ${filler.repeat(100)}`;
    expect(excerptOf(text, analyseQuery("swordfish"))).toContain("swordfish");
  });

  it("is a part of the text, never longer than requested, and never splits a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.string(),
        fc.integer({ min: 1, max: 30 }),
        (text, query, chars) => {
          const excerpt = excerptOf(text, analyseQuery(query), [], chars);
          expect(excerpt.length).toBeLessThanOrEqual(chars);
          expect(excerpt.isWellFormed()).toBe(true);
          expect(text).toContain(excerpt);
        },
      ),
      { numRuns: runs },
    );
  });
});

import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText } from "./cut-text.ts";

describe("cutText", () => {
  it.each([
    ["a\nb\nc\n", { from: 2, to: 2 }, 99, "b\n", "2-2 of 3"],
    ["a\nb\nc", { from: 2 }, 99, "b\nc", "2-3 of 3"],
    ["a\nb\nc", { from: 1 }, 99, "a\nb\nc", null],
    ["a\nb\nc", { from: 9 }, 99, "", "none: there are 3"],
    ["a\nb\nc", { from: 3, to: 2 }, 99, "", "3-2 of 3"],
    ["aaaa\nbbbb\n", undefined, 6, "aaaa\n", "1-1 of 2"],
    ["aaaaaaaa\nb\n", undefined, 6, "aaaaaa", "1-1 of 2, line 1 only in part (6 characters)"],
    ["", { from: 1 }, 6, "", "none: there are 0"],
  ])("%j, lines %j, %i characters", (text, range, most, shown, lines) => {
    expect(cutText(text, range, most)).toEqual({ text: shown, lines });
  });

  it("shows a part of the text, in whole lines unless one is too long, and never more than allowed", () => {
    const text = fc.array(fc.constantFrom("a", "bb", "\n", "é", "😀")).map((parts) => parts.join(""));
    const range = fc.option(
      fc.record({
        from: fc.integer({ min: 1, max: 9 }),
        to: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
      }),
      { nil: undefined },
    );
    fc.assert(
      fc.property(text, range, fc.integer({ min: 2, max: 40 }), (whole, lines, most) => {
        const cut = cutText(whole, lines, most);
        expect(cut.text.length).toBeLessThanOrEqual(most);
        if (!cut.lines?.includes("in part")) expect(whole).toContain(cut.text);
        if (cut.lines === null) expect(cut.text).toBe(whole);
      }),
      { numRuns: runs },
    );
  });
});

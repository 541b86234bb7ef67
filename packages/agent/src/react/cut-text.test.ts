import { costlyRuns, runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText, LineCut } from "./cut-text.ts";

describe("cutText", () => {
  it.each([
    ["a\nb\nc\n", { from: 2, to: 2 }, 99, "b\n", "2-2 of 3"],
    ["a\nb\nc", { from: 2 }, 99, "b\nc", "2-3 of 3"],
    ["a\nb\nc", { from: 1 }, 99, "a\nb\nc", null],
    ["a\nb\nc", { from: 9 }, 99, "", "none: there are 3"],
    ["a\nb\nc", { from: 3, to: 2 }, 99, "", "none of 3: line 2 comes before line 3"],
    ["aaaa\nbbbb\n", undefined, 6, "aaaa\n", "1-1 of 2"],
    ["aaaaaaaa\nb\n", undefined, 6, "", "none of 2: too much at once, read it by itself"],
    ["x".repeat(5_000), { from: 2, to: 2 }, 9_999, "x".repeat(2_000), "2-2 of 3"],
    ["", { from: 1 }, 6, "", "none: there are 0"],
  ])("%j, lines %j, %i characters", (text, range, most, shown, lines) => {
    expect(cutText(text, range, most)).toMatchObject({ text: shown, lines });
  });

  it("shows a part of the text, in whole lines, and never more than allowed", () => {
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
        expect(whole).toContain(cut.text);
        expect(cut.place !== null).toBe(cut.lines !== null && cut.text !== "");
        if (cut.lines === null) expect(cut.text).toBe(whole);
      }),
      { numRuns: runs },
    );
  });

  it("gives the same for a text in one piece and in several", () => {
    const part = fc.oneof(
      fc.constantFrom("a", "\n", "é", "😀"),
      fc.integer({ min: 1_990, max: 2_010 }).map((length) => "x".repeat(length)),
    );
    const pieces = fc.array(fc.array(part, { maxLength: 4 }).map((parts) => parts.join("")));
    const range = fc.option(fc.record({ from: fc.integer({ min: 1, max: 5 }), to: fc.integer({ min: 1, max: 5 }) }), {
      nil: undefined,
    });
    fc.assert(
      fc.property(pieces, range, fc.integer({ min: 2, max: 9_000 }), (parts, lines, most) => {
        const cut = new LineCut(lines, most);
        for (const piece of parts.flatMap((each) => [...each])) cut.add(piece);
        const inParts = new LineCut(lines, most);
        for (const piece of parts) inParts.add(piece);
        const whole = cutText(parts.join(""), lines, most);
        const given = inParts.end();
        expect(given).toEqual(cut.end());
        // An empty text has no lines, so none can be requested.
        if (lines !== undefined || parts.join("") !== "") expect(given).toEqual(whole);
      }),
      { numRuns: costlyRuns },
    );
  });
});

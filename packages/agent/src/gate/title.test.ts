import { anyCharacter } from "@cairn/testkit/any-character";
import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { titleOfAnswer, titleOfPrompt } from "./title.ts";

describe("a title", () => {
  it.each([
    ["Lease of the flat", "Lease of the flat"],
    ['"Lease of the flat."', "Lease of the flat"],
    ["Lease of the flat.", "Lease of the flat"],
    ["\n\n**Lease of the flat**\nIt is about a lease.", "Lease of the flat"],
    ["# Lease\tof  the flat", "Lease of the flat"],
    ["Title: «Le bail»", "Le bail"],
    ["\u001b[31mRed\u001b[0m", "Red"],
    ["  \n ", null],
    ['""', null],
  ])("of %j is %j", (answer, title) => {
    expect(titleOfAnswer(answer)).toBe(title);
  });

  it("is one short line of whole characters, whatever the message contains", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        for (const title of [titleOfAnswer(text) ?? "", titleOfPrompt(text)]) {
          expect([...title].length).toBeLessThanOrEqual(60);
          expect(title).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          expect(title.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: runs },
    );
  });

  it("of a long message is the beginning of the message", () => {
    expect(titleOfPrompt(`Hello ${"😀".repeat(100)}\nmore`)).toBe(`Hello ${"😀".repeat(53)}…`);
    expect(titleOfPrompt("Short\nmore")).toBe("Short");
  });
});

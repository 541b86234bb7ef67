import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { typstMath } from "./typst-math.ts";

describe("typstMath", () => {
  it.each([
    ["E = mc^2", "E = m c^2"],
    ["\\frac{\\sqrt{\\pi}}{2}", "sqrt(pi)/2"],
    ["\\text{where } x", '"where " x'],
    ["\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}", "mat(a, b; c, d)"],
    ["e^{-|x|/2} + \\|y\\|", "e^(-abs(x) \\/ 2) + norm(y)"],
    ["P(A|B) + P(C|D)", "P(A | B) + P(C | D)"],
    ["\\lvert x \\rvert = \\lVert y \\rVert", "abs(x) = norm(y)"],
    ["a = b \\tag{1}\\label{eq:a}", 'a = b wide "(1)"'],
    ["\\bm{x} \\blacksquare", "bold(x) ■"],
  ])("turns %s into a Typst formula", (tex, math) => {
    expect(typstMath(tex)?.replace(/\s+/g, " ")).toBe(math);
  });

  it.each(['\\text{" #x "}', "% comment", "std", " ", "x".repeat(20_000)])("refuses %s", (tex) => {
    const math = typstMath(tex);
    // For TeX, `std` alone is three letters.
    expect(math === null || math === "s t d").toBe(true);
  });

  it("accepts nothing that would end the formula early", () => {
    const pieces = fc.constantFrom(
      '"',
      "#",
      "$",
      "\\text{",
      "}",
      "{",
      "\\\\",
      "std",
      ".",
      "//",
      "`",
      "@",
      "read(",
      ")",
      "a",
      " ",
      "\\mathrm{",
      "_",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const math = typstMath(parts.join(""));
        if (math === null) return;
        let inString = false;
        for (let at = 0; at < math.length; at++) {
          const character = math.charAt(at);
          if (character === "\\") at++;
          else if (character === '"') inString = !inString;
          else if (!inString) expect("#$`@").not.toContain(character);
        }
        expect(inString).toBe(false);
      }),
      { numRuns: runs },
    );
  });
});

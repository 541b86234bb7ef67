import { runs } from "@cairn/testkit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLines, firstLines, LineWalk, MAX_LINE_CHARS } from "./lines.ts";

function linesOf(text: string): string[] {
  const walk = new LineWalk(text);
  const lines: string[] = [];
  for (let start = 0; !walk.isDone; start = walk.at) {
    walk.next();
    lines.push(text.slice(start, walk.at));
  }
  return lines;
}

const long = fc.nat({ max: 2 * MAX_LINE_CHARS + 3 });
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom("a", "\n", "\n\n", "\r\n", "😀", "line of text\n"),
      long.map((times) => "x".repeat(times)),
      long.map((times) => "😀".repeat(times / 2)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

describe("lines", () => {
  it("join to the text, end at line breaks, are never too long and never split a character", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = linesOf(text);
        expect(lines.join("")).toBe(text);
        expect(countLines(text)).toBe(lines.length);
        for (const [index, line] of lines.entries()) {
          expect(line.slice(0, -1)).not.toContain("\n");
          expect(line.replace(/\n$/, "").length).toBeLessThanOrEqual(MAX_LINE_CHARS + 1);
          expect(line.isWellFormed()).toBe(true);
          if (!line.endsWith("\n") && index < lines.length - 1)
            expect(line.length).toBeGreaterThanOrEqual(MAX_LINE_CHARS);
        }
      }),
      { numRuns: runs },
    );
  });

  it("match those of an editor if none is longer than 2,000 characters", () => {
    expect(linesOf("a\nb\n\nc")).toEqual(["a\n", "b\n", "\n", "c"]);
    expect(linesOf(`${"x".repeat(MAX_LINE_CHARS)}\ny`)).toEqual([`${"x".repeat(MAX_LINE_CHARS)}\n`, "y"]);
    expect(linesOf("")).toEqual([]);
    expect(firstLines("a\nb\nc", 2)).toBe("a\nb\n");
    expect(firstLines("a\nb", 9)).toBe("a\nb");
  });
});

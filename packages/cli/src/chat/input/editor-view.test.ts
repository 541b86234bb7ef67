import { expect, it } from "vitest";
import { layOut } from "./editor-view.ts";

const place = { prompt: "> ", width: 10, maxRows: 5 };

it("long text continues in the next row, and wide characters are not split", () => {
  expect(layOut("12345678", 8, place)).toEqual({ rows: ["> 12345678", "  "], row: 1, column: 2 });
  expect(layOut("1234567界x", 0, place)).toEqual({ rows: ["> 1234567", "  界x"], row: 0, column: 2 });
  expect(layOut("1234567界x", 7, place)).toEqual({ rows: ["> 1234567", "  界x"], row: 1, column: 2 });
  expect(layOut("a\nb", 3, place)).toEqual({ rows: ["> a", "  b"], row: 1, column: 3 });
  expect(layOut("a\nb", 1, place)).toEqual({ rows: ["> a", "  b"], row: 0, column: 3 });
});

it("if there are many rows, the rows around the cursor are shown", () => {
  const text = Array.from("abcdefgh").join("\n");
  expect(layOut(text, text.length, place)).toEqual({ rows: ["  d", "  e", "  f", "  g", "  h"], row: 4, column: 3 });
  expect(layOut(text, 0, place)).toEqual({ rows: ["> a", "  b", "  c", "  d", "  e"], row: 0, column: 2 });
});

it("a long prompt is wrapped at its words", () => {
  const asked = { prompt: "Allow it now? ", width: 10, maxRows: 5 };
  expect(layOut("yes", 3, asked)).toEqual({ rows: ["Allow it", "now? yes"], row: 1, column: 8 });
});

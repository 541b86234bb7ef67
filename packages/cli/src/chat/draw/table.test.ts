import { expect, it } from "vitest";
import { drawMarkdown } from "./markdown.ts";
import type { Pen } from "./style.ts";
import { drawTable } from "./table.ts";

const pen: Pen = { width: 30, hasColour: false, paint: (_, text) => text };

it("a table may have more rows than a function can have arguments", () => {
  const cell = { text: "", tokens: [], header: false, align: null };
  const rows = Array.from({ length: 150_000 }, () => [cell]);
  const drawn = drawTable({ type: "table", raw: "", header: [cell], align: [null], rows }, pen);
  expect(drawn).toHaveLength(rows.length + 2);
});

it("narrow columns stay a table, and columns without room for five characters each become records", () => {
  const table = (cells: readonly string[]) =>
    drawMarkdown([cells, cells.map(() => "-"), cells].map((row) => `|${row.join("|")}|`).join("\n"), pen);
  expect(table(["a", "b", "c", "d", "e", "f", "words to wrap"])[0]).toBe("a │ b │ c │ d │ e │ f │ words");
  expect(table(["words1", "words2", "words3", "words4", "words5"]).slice(0, 2)).toEqual([
    "words1: words1",
    "words2: words2",
  ]);
});

/**
 * A table whose columns fit the width: columns that are wider than their share wrap. A table with too many columns for
 * the width is drawn as records, one line for each cell.
 */
import type { Tokens } from "marked";
import { drawInline } from "./inline.ts";
import { type Pen, padEnd, widthOf, wrapText } from "./style.ts";

const MIN_COLUMN = 5;
/** The separator between two columns. */
const GAP = " │ ";

export function drawTable({ header, rows, align }: Tokens.Table, pen: Pen): string[] {
  const heads = header.map(({ tokens }) => drawInline(tokens, pen));
  const cells = rows.map((row) => row.map(({ tokens }) => drawInline(tokens, pen)));
  const natural = heads.map((head, nth) =>
    cells.reduce((widest, row) => Math.max(widest, widthOfCell(row[nth] ?? "")), widthOfCell(head)),
  );
  const widths = fitColumns(natural, pen.width - GAP.length * (heads.length - 1));
  if (widths === null) return drawRecords(heads, cells, pen);
  const gap = pen.paint("dim", GAP);
  const line = (row: readonly string[]) => drawRow(row, widths, align, gap);
  const rule = pen.paint("dim", widths.map((width) => "─".repeat(width)).join("─┼─"));
  return [...line(heads.map((head) => pen.paint("bold", head))), rule, ...cells.flatMap(line)];
}

function widthOfCell(text: string): number {
  return text.split("\n").reduce((widest, line) => Math.max(widest, widthOf(line)), 1);
}

/** Column widths that fit: the widest columns shrink first. Null if even the minimum widths do not fit. */
function fitColumns(natural: readonly number[], room: number): number[] | null {
  if (sum(natural.map((width) => Math.min(width, MIN_COLUMN))) > room) return null;
  const widths = natural.map((width) => Math.min(width, room));
  while (sum(widths) > room) {
    const widest = Math.max(...widths);
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function drawRow(
  row: readonly string[],
  widths: readonly number[],
  align: Tokens.Table["align"],
  gap: string,
): string[] {
  const columns = widths.map((width, nth) => wrapText(row[nth] ?? "", width));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    columns
      .map((lines, nth) => place(lines[at] ?? "", widths[nth] ?? 0, align[nth]))
      .join(gap)
      .trimEnd(),
  );
}

function place(text: string, width: number, how: Tokens.Table["align"][number] | undefined): string {
  const free = Math.max(0, width - widthOf(text));
  const left = how === "right" ? free : how === "center" ? Math.floor(free / 2) : 0;
  return padEnd(" ".repeat(left) + text, width);
}

function drawRecords(heads: readonly string[], cells: readonly (readonly string[])[], pen: Pen): string[] {
  return cells.flatMap((row, nth) => [
    ...(nth === 0 ? [] : [pen.paint("dim", "─".repeat(Math.min(pen.width, 8)))]),
    ...heads.flatMap((head, at) => wrapText(`${pen.paint("bold", head)}: ${row[at] ?? ""}`, pen.width)),
  ]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

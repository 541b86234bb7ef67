/**
 * How a table uses the width it has.
 *
 * A small table is as wide as its content. A larger table takes the whole width: every column gets space for its
 * longest word, and columns with more text get the rest. Where words do not fit, letters and margins get smaller; if
 * that is not enough, `fits` is false, and the renderer may use a landscape page.
 */
import { isRightToLeft } from "./direction.ts";
import { type Inline, plainText, type TableBlock } from "./document.ts";
import { emWidth } from "./text-width.ts";

export interface TableRoom {
  /** Width between the margins of the page, in points. */
  readonly width: number;
  readonly size: number;
  readonly face: string;
}

export interface TableLayout {
  readonly size: number;
  /** Padding of a cell in points. */
  readonly inset: number;
  /** Column widths in points. */
  readonly widths: readonly number[];
  /** Whether the table is as wide as its content instead of the page. */
  readonly isNatural: boolean;
  /** Whether every word fits into its column. */
  readonly fits: boolean;
}

/** Letter sizes and padding to try; the last is the smallest readable one. */
const STEPS = [
  { scale: 1, inset: 7 },
  { scale: 0.9, inset: 6 },
  { scale: 0.82, inset: 5 },
  { scale: 0.74, inset: 4 },
  { scale: 0.66, inset: 3 },
  { scale: 0.56, inset: 2 },
] as const;
/** Share of the width up to which a table is as wide as its content. */
const SMALL = 0.5;
/** Maximum width in ems of a word that is not broken. */
const MAX_WORD_LENGTH = 12;
/** Factor that makes a column slightly wider than measured, so that a line that should fit does. */
const SPARE = 1.04;
const SAMPLED_ROWS = 200;
/** Width of a code letter in ems. */
const CODE_LETTER = 0.6;
/** Factor for the width of a header, whose letters are bold. */
const BOLD = 1.14;

/** Maximum rows of a table that stays on one page, in general and for short cells. */
const FEW_ROWS = 6;
const FEW_SHORT_ROWS = 12;
const SHORT_CELL = 60;

/** Whether the table should move to the next page instead of being split. */
export function staysTogether({ rows }: TableBlock): boolean {
  if (rows.length <= FEW_ROWS) return true;
  return (
    rows.length <= FEW_SHORT_ROWS && rows.every((row) => row.every((cell) => plainText(cell).length <= SHORT_CELL))
  );
}

/** Whether the first column is on the right, by the direction of the header or of the first words of the rows. */
export function isTurnedTable({ header, rows }: TableBlock): boolean {
  const [first = []] = rows;
  return isRightToLeft([...header, ...first].map(plainText).join(" "));
}

interface Column {
  /** Widths in ems of the longest word and of the longest text of a column. */
  readonly word: number;
  readonly text: number;
}

export function layOutTable({ header, rows }: TableBlock, { width, size, face }: TableRoom): TableLayout {
  const columns = header.map((cell, at) => measure(cell, rows.slice(0, SAMPLED_ROWS), at, face));
  const step = STEPS.find(({ scale, inset }) => sum(columns, "word", scale * size, inset) <= width);
  const { scale, inset } = step ?? STEPS[STEPS.length - 1] ?? { scale: 1, inset: 7 };
  const letters = scale * size;
  const fits = step !== undefined;
  const isNatural = fits && sum(columns, "text", letters, inset) <= width * SMALL;
  const widths = isNatural
    ? columns.map(({ text }) => text * letters + 2 * inset)
    : share(columns, width, letters, inset);
  return { size: letters, inset, widths, isNatural, fits };
}

/** Width of the text that fits into a column, in ems. */
export function columnRoom({ size, inset, widths }: TableLayout, at: number): number {
  // A column is at least as wide as its longest word, up to rounding.
  return Math.max(1, ((widths[at] ?? 0) - 2 * inset) / size) * 1.001;
}

function measure(header: readonly Inline[], rows: TableBlock["rows"], at: number, face: string): Column {
  let word = 0.5;
  let text = 0.5;
  const take = (cell: readonly Inline[], factor: number) => {
    let all = 0;
    for (const { words, width } of pieces(cell, face)) {
      all += width(words) * factor;
      for (const each of words.split(/\s+/)) word = Math.max(word, width(each) * factor * SPARE);
    }
    text = Math.max(text, all);
  };
  take(header, BOLD);
  for (const row of rows) take(row[at] ?? [], 1);
  return { word: Math.min(word, MAX_WORD_LENGTH), text: Math.max(text, Math.min(word, MAX_WORD_LENGTH)) };
}

/** Divides a text into pieces with their widths. All letters of code have the same width. */
function* pieces(
  inlines: readonly Inline[],
  face: string,
): Generator<{ readonly words: string; readonly width: (words: string) => number }> {
  for (const inline of inlines)
    if ("children" in inline) yield* pieces(inline.children, face);
    else if (inline.kind === "code") yield { words: inline.text, width: (words) => [...words].length * CODE_LETTER };
    else yield { words: plainText([inline]), width: (words) => emWidth(words, face) };
}

function sum(columns: readonly Column[], of: keyof Column, size: number, inset: number): number {
  return columns.reduce((total, column) => total + column[of] * size + 2 * inset, 0);
}

/**
 * Every column gets the width of its longest word. The rest goes to columns with more text, less than proportionally.
 * No column gets more than its text needs, unless all have enough: then they grow equally.
 */
function share(columns: readonly Column[], width: number, size: number, inset: number): number[] {
  const least = columns.map(({ word }) => word * size + 2 * inset);
  const total = least.reduce((all, each) => all + each, 0);
  if (total >= width) return least.map((each) => (each * width) / total);
  const needs = columns.map(({ text }) => text * size * SPARE + 2 * inset);
  const needed = needs.reduce((all, each) => all + each, 0);
  if (needed <= width) return needs.map((each) => (each * width) / needed);
  const widths = [...least];
  let open = columns.flatMap(({ word, text }, at) => (text > word ? [at] : []));
  for (let rest = width - total; rest > 1 && open.length > 0; ) {
    const weights = open.map((at) => Math.max(1, (needs[at] ?? 0) - (least[at] ?? 0)) ** 0.75);
    const all = weights.reduce((one, other) => one + other, 0);
    const given = open.map((at, n) => Math.min((rest * (weights[n] ?? 0)) / all, (needs[at] ?? 0) - (widths[at] ?? 0)));
    for (const [n, at] of open.entries()) widths[at] = (widths[at] ?? 0) + (given[n] ?? 0);
    rest -= given.reduce((one, other) => one + other, 0);
    open = open.filter((at) => (widths[at] ?? 0) < (needs[at] ?? 0) - 0.5);
  }
  return widths;
}

/**
 * How wide the columns of a table are. A small table is as wide as its content (all 0). A larger one takes the width of
 * the page: by what its columns need while that fits on lines, else by how much they hold, so that a long text takes
 * the room and a number keeps its line.
 */
import { plainText, type TableBlock } from "../model/document.ts";

/** Characters that fit a line of a table, about. */
const LINE_CHARS = 92;
const SMALL = 0.45 * LINE_CHARS;
const NARROWEST = 5;
const WIDEST = 44;
const SAMPLED_ROWS = 200;

export function columnWeights({ header, rows }: TableBlock): number[] {
  const sample = [header, ...rows.slice(0, SAMPLED_ROWS)];
  const columns = header.map((_, at) => {
    const texts = sample.map((row) => plainText(row[at] ?? []));
    const longest = Math.max(1, ...texts.map(widthOf));
    const average = texts.reduce((sum, text) => sum + widthOf(text), 0) / Math.max(1, texts.length);
    const word = Math.max(1, ...texts.flatMap((text) => text.split(/\s+/).map((each) => Math.min(each.length, 20))));
    return { longest: longest + 3, share: Math.min(WIDEST, Math.max(NARROWEST, word * 1.15 + 2, average)) };
  });
  const needed = columns.reduce((sum, { longest }) => sum + longest, 0);
  if (needed <= SMALL) return columns.map(() => 0);
  return columns.map(({ longest, share }) => (needed <= LINE_CHARS ? longest : Math.round(share * 10) / 10));
}

/** Ideographs are twice as wide as letters. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += character > "\u2e7f" && character < "\u{1f000}" ? 2 : 1;
  return width;
}

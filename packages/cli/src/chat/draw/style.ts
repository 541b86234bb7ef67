/** How text is drawn: its maximum width, its colours, and its links. */
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";
import type { Style } from "../../command/terminal.ts";

export interface Pen {
  /** Columns that a line may use. */
  readonly width: number;
  /** Whether colours may be used. Without colours, marks of Markdown that have a meaning stay visible. */
  readonly hasColour: boolean;
  readonly paint: (style: Style, text: string) => string;
}

/** The columns that a text without line breaks takes in a terminal; escape codes take none. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

const TAB = "    ";

/** Lines of at most `width` columns, broken at spaces, or inside longer words. Styles continue in the next line. */
export function wrapText(text: string, width: number): string[] {
  return wrapAnsi(text.replaceAll("\t", TAB), Math.max(1, width), { hard: true }).split("\n");
}

/** Like `wrapText`, for text without styles. All lines begin with the same spaces as the first. */
export function wrapIndented(text: string, width: number): string[] {
  const indent = /^ {0,16}/.exec(text)?.[0] ?? "";
  return wrapText(text.slice(indent.length), width - indent.length).map((line) => indent + line);
}

/** Like `wrapText`, but keeps all spaces and breaks at any character, for code. */
export function wrapCode(text: string, width: number): string[] {
  return wrapAnsi(text.replaceAll("\t", TAB), Math.max(1, width), { hard: true, trim: false, wordWrap: false }).split(
    "\n",
  );
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The characters of a text as a reader sees them. */
export function graphemesOf(text: string): string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
}

/** One line without escape codes, shortened with an ellipsis if it is wider. */
export function clipLine(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let clipped = "";
  let used = 0;
  for (const character of graphemesOf(text)) {
    used += widthOf(character);
    if (used > width - 1) break;
    clipped += character;
  }
  return `${clipped}…`;
}

/** `text` followed by spaces up to `width` columns. */
export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

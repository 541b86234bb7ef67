/** The parts of a document, and the lines that begin them in its text. */
export type Part =
  | { readonly page: number }
  | { readonly slide: number }
  /** A sheet of a spreadsheet, by its name. */
  | { readonly sheet: string };

const PART_LINE = /^\[((?:page|slide) \d{1,9}|sheet .{1,200})\]$/;

export function partLine(part: Part): string {
  if ("page" in part) return `[page ${part.page}]`;
  if ("slide" in part) return `[slide ${part.slide}]`;
  return `[sheet ${part.sheet.replace(/\s+/g, " ").trim().slice(0, 200).toWellFormed() || "?"}]`;
}

/** The part that begins at a line, in words: `page 3`, `slide 2`, `sheet Sales`; null for any other line. */
export function partNamed(line: string): string | null {
  return line.startsWith("[") ? (PART_LINE.exec(line)?.[1] ?? null) : null;
}

export interface PartOfText {
  /** The part of the document; null for text before the first part, and for text without parts. */
  readonly part: string | null;
  readonly text: string;
}

/** Splits a text at the lines that begin a page, slide or sheet. These lines are left out. */
export function splitParts(text: string): PartOfText[] {
  if (!/^\[(?:page|slide|sheet) /m.test(text)) return [{ part: null, text }];
  const parts: { part: string | null; lines: string[] }[] = [{ part: null, lines: [] }];
  for (const line of text.split("\n")) {
    const part = partNamed(line.trimEnd());
    if (part === null) parts.at(-1)?.lines.push(line);
    else parts.push({ part, lines: [] });
  }
  return parts.map(({ part, lines }) => ({ part, text: lines.join("\n") })).filter((each) => each.text.trim() !== "");
}

/** The line that begins the part in which a text ends; null for a text without parts. */
export function lastPartLine(text: string): string | null {
  for (const line of text.split("\n").reverse()) if (partNamed(line) !== null) return line;
  return null;
}

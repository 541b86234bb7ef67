/**
 * Writes the text of a document: parts, paragraphs, headings, list items and rows of tables, in the order of the
 * document. There is a blank line between paragraphs, but not between items of one list or rows of one table. A line of
 * the document that looks like the beginning of a part is marked with a backslash, so that no content can forge a page.
 */
import { type Part, partLine } from "./parts.ts";

const MAX_TEXT_CHARS = 2_000_000;

type LineKind = "part" | "paragraph" | "item" | "row";

/** Thrown to end the reading when the text has its maximum length. */
class TextIsFull extends Error {}

export class PartWriter {
  readonly #lines: string[] = [];
  #length = 0;
  #last: LineKind | null = null;
  #isEmpty = true;
  #isCut = false;

  /** Whether nothing of the document's own text was written: only lines such as `[page 1]`, and notes about parts. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Runs `read`, and stops it when the text reaches its maximum length. */
  fill(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof TextIsFull)) throw error;
      this.#isCut = true;
    }
  }

  part(part: Part): void {
    this.#push("part", partLine(part));
  }

  /** A note about the part, such as that a slide is hidden. It does not count as text of the document. */
  remark(text: string): void {
    this.#push("part", text);
  }

  paragraph(text: string): void {
    const clean = tidy(text);
    if (clean !== "") this.#add("paragraph", clean);
  }

  heading(text: string, level: number): void {
    const clean = tidy(text).replaceAll("\n", " ");
    if (clean !== "") this.#add("paragraph", `${"#".repeat(Math.min(6, Math.max(1, level)))} ${clean}`);
  }

  /** `mark`: the text before the item; `depth`: the level of the list, 0 for the outermost. */
  item(text: string, depth = 0, mark = "-"): void {
    const clean = tidy(text).replaceAll("\n", " ");
    if (clean !== "") this.#add("item", `${"  ".repeat(Math.min(8, depth))}${mark} ${clean}`);
  }

  /** Leaves out empty cells at the end of a row, and rows without content. */
  row(cells: readonly string[]): void {
    const clean = cells.map((cell) => tidy(cell).replaceAll("\n", " "));
    const end = clean.findLastIndex((cell) => cell !== "") + 1;
    if (end > 0) this.#add("row", `| ${clean.slice(0, end).join(" | ")} |`);
  }

  text(): string {
    const text = this.#lines.join("\n").toWellFormed();
    if (!this.#isCut) return text;
    return `${text.slice(0, MAX_TEXT_CHARS).toWellFormed()}\n\n(The text is longer than ${MAX_TEXT_CHARS} characters. The rest of the file was not read.)`;
  }

  #add(kind: LineKind, text: string): void {
    this.#isEmpty = false;
    this.#push(kind, text.replace(/^(?=\[(?:page|sheet|slide) )/gm, "\\"));
  }

  #push(kind: LineKind, text: string): void {
    const isClose = this.#last === null || (kind === this.#last && kind !== "paragraph");
    const startsPart = kind === "part" && text.startsWith("[");
    if ((!isClose || startsPart) && this.#last !== null && (this.#last !== "part" || startsPart)) this.#lines.push("");
    this.#lines.push(text);
    this.#last = kind;
    this.#length += text.length + 2;
    if (this.#length > MAX_TEXT_CHARS) throw new TextIsFull();
  }
}

/** Removes spaces at the ends of lines, control characters and runs of blank lines. */
function tidy(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\ufeff]/g, "")
    .replace(/[ \t\u00a0]+(?=\n|$)/g, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

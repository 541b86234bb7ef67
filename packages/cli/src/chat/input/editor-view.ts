/** The edited text as rows of a terminal, with the position of the cursor. */
import { graphemesOf, widthOf, wrapText } from "../draw/style.ts";

export interface EditorView {
  readonly rows: readonly string[];
  /** Position of the cursor in `rows`. */
  readonly row: number;
  readonly column: number;
}

export interface EditorPlace {
  /** The prompt that is shown before the edited text. */
  readonly prompt: string;
  readonly width: number;
  /** Maximum number of rows. If the text has more, the rows around the cursor are shown. */
  readonly maxRows: number;
}

const INDENT = "  ";
const TAB = "    ";

export function layOut(text: string, cursor: number, { prompt, width, maxRows }: EditorPlace): EditorView {
  const rows = wrapText(prompt.trimEnd(), width);
  let used = widthOf(rows.at(-1) ?? "");
  let at: { row: number; column: number } | null = null;
  const add = (character: string, shown = character) => {
    if (character === "\n" || used + widthOf(shown) > width) {
      rows.push(INDENT);
      used = INDENT.length;
    }
    if (character === "\n") return;
    rows[rows.length - 1] += shown;
    used += widthOf(shown);
  };
  for (const space of prompt.slice(prompt.trimEnd().length)) add(space);
  let offset = 0;
  for (const character of graphemesOf(text)) {
    if (offset === cursor && character !== "\n" && used + widthOf(character) > width) add("\n");
    if (offset === cursor) at = { row: rows.length - 1, column: used };
    add(character, character === "\t" ? TAB : character);
    offset += character.length;
  }
  if (at === null && used >= width) add("\n");
  const { row, column } = at ?? { row: rows.length - 1, column: used };
  const first = Math.max(0, Math.min(row - Math.floor(maxRows / 2), rows.length - maxRows));
  return { rows: rows.slice(first, first + maxRows), row: row - first, column };
}

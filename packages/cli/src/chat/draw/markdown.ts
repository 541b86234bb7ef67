/** Markdown as lines of a terminal. The text must be free of control characters (`plainText`). */
import type { Token, Tokens } from "marked";
import { drawInline } from "./inline.ts";
import { lexMarkdown } from "./lex.ts";
import { type Pen, widthOf, wrapCode, wrapText } from "./style.ts";
import { drawTable } from "./table.ts";

export function drawMarkdown(text: string, pen: Pen): string[] {
  return drawBlocks(lexMarkdown(text), pen);
}

/** Draws blocks with an empty line between them. */
export function drawBlocks(tokens: readonly Token[], pen: Pen): string[] {
  return tokens
    .map((token) => drawBlock(token, pen))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, nth) => (nth === 0 ? lines : ["", ...lines]));
}

function drawBlock(token: Token, pen: Pen): string[] {
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return drawHeading(token as Tokens.Heading, pen);
    case "code":
      return drawCode(token as Tokens.Code, pen);
    case "blockquote":
      return within(pen.paint("dim", "│ "), pen.paint("dim", "│ "), pen, (inner) =>
        drawBlocks((token as Tokens.Blockquote).tokens, inner),
      );
    case "list":
      return (token as Tokens.List).items.flatMap((item, nth) => drawItem(token as Tokens.List, item, nth, pen));
    case "table":
      return drawTable(token as Tokens.Table, pen);
    case "hr":
      return [pen.paint("dim", "─".repeat(Math.min(pen.width, 24)))];
    case "html":
      return wrapText((token as Tokens.HTML).text.trimEnd(), pen.width);
    default:
      return wrapText(drawInline([token], pen), pen.width);
  }
}

function drawHeading({ depth, tokens }: Tokens.Heading, pen: Pen): string[] {
  const words = drawInline(tokens, pen);
  const marked = pen.hasColour ? words : `${"#".repeat(depth)} ${words}`;
  return wrapText(pen.paint("bold", depth === 1 ? pen.paint("underline", marked) : marked), pen.width);
}

/** Draws code indented by two columns. Long lines continue in the next row, so nothing is cut off. */
function drawCode({ lang, text }: Tokens.Code, pen: Pen): string[] {
  const name = lang?.trim() ?? "";
  const label = name === "" ? [] : [pen.paint("dim", name)];
  const lines = text.split("\n").flatMap((line) => wrapCode(line, pen.width - 2));
  return [...label, ...lines.map((line) => (line === "" ? "" : pen.paint("cyan", line)))].map((line) =>
    line === "" ? "" : `  ${line}`,
  );
}

function drawItem({ ordered, start }: Tokens.List, item: Tokens.ListItem, nth: number, pen: Pen): string[] {
  const bullet = ordered ? `${Number(start) + nth}. ` : "• ";
  const mark = item.task ? (item.checked === true ? "☑ " : "☐ ") : bullet;
  return within(mark, " ".repeat(widthOf(mark)), pen, (inner) =>
    item.tokens
      .filter(({ type }) => type !== "checkbox")
      .flatMap((token, at) => {
        const lines = drawBlock(token, inner);
        // Blocks of an item other than nested lists are separate paragraphs.
        return at > 0 && lines.length > 0 && token.type !== "list" ? ["", ...lines] : lines;
      }),
  );
}

/** Draws with `first` before the first line and `rest` before the others, in the remaining columns. */
function within(first: string, rest: string, pen: Pen, draw: (inner: Pen) => string[]): string[] {
  const lines = draw({ ...pen, width: Math.max(8, pen.width - widthOf(first)) });
  return (lines.length === 0 ? [""] : lines).map((line, nth) => ((nth === 0 ? first : rest) + line).trimEnd());
}

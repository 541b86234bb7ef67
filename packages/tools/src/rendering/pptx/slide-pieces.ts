/**
 * Blocks as pieces that fit on slides. A piece knows its height and can draw itself at a position; the deck stacks
 * pieces and begins a new slide when the next one does not fit. A piece that is higher than a slide is split.
 */
import { isRightToLeft } from "../model/direction.ts";
import { type DocumentBlock, type Inline, type ListBlock, plainText, type TableBlock } from "../model/document.ts";
import { highlightLines } from "../model/highlight.ts";
import type { Labels } from "../model/labels.ts";
import { drawable } from "../model/readable-text.ts";
import { isTurnedTable, layOutTable } from "../model/table-layout.ts";
import type { OfficePicture, OfficePictures } from "../office/office-pictures.ts";
import { POINTS_AN_INCH, textHeight } from "./measure.ts";
import type { ParagraphProperties } from "./paragraph-properties.ts";
import type { Slide, TableRow, TextOptions } from "./pptx-library.ts";
import { BODY, SIZE } from "./slide-layout.ts";
import { CODE_FACE, inlineRuns, paragraphRuns, type Run, type SlideContext } from "./slide-text.ts";
import { splitText } from "./split-text.ts";
import { QUOTE_STEP, type Quote, type SlideParagraph, TextBox } from "./text-box.ts";

interface Placed {
  /** Height in inches, including the space below. */
  readonly height: number;
  /** Whether the piece should not be the last on its slide: a heading, or a line that introduces the next piece. */
  readonly leads?: boolean;
}

/** A paragraph, which shares a box with its neighbours. */
interface TextPiece extends Placed {
  readonly paragraph: SlideParagraph;
}

interface ShapePiece extends Placed {
  readonly draw: (slide: Slide, y: number) => void;
  /** Inches of space above, which is dropped at the top of a slide. */
  readonly above?: number;
  /** Whether the piece only starts a new slide. */
  readonly breaks?: boolean;
  /** Splits the piece into a part that fits into this many inches, and the rest; null if that is not possible. */
  readonly split?: (room: number) => readonly [ShapePiece, ShapePiece] | null;
}

export type Piece = TextPiece | ShapePiece;

export interface PieceContext extends SlideContext {
  readonly pictures: OfficePictures;
  readonly labels: Labels;
  readonly properties: ParagraphProperties;
}

interface Place {
  readonly indent: number;
  /** Number of surrounding lists. */
  readonly level: number;
  readonly quote: Quote | null;
}

const TOP: Place = { indent: 0, level: 0, quote: null };
const GAP = 0.11;
const LIST_STEP = 0.32;
/** Smallest number with which a numbered list of PowerPoint can start. */
const MIN_NUMBER = 1;
const MAX_NUMBER = 32_767;
/** Maximum factor by which a table is wider than its words. */
const MAX_GROWTH = 2;
/** Minimum height of an inline picture, in CSS pixels, that counts as more than a symbol. */
const SIGN_HEIGHT = 48;
/** Maximum share of a slide for one paragraph or row. */
const TALLEST_SHARE = 0.85;

export function piecesOf(blocks: readonly DocumentBlock[], context: PieceContext, place: Place = TOP): Piece[] {
  return blocks.flatMap((block) => pieceOf(block, context, place));
}

function pieceOf(block: DocumentBlock, context: PieceContext, place: Place): Piece[] {
  const { theme, pictures } = context;
  switch (block.kind) {
    case "heading": {
      const style = { bold: true, color: theme.heading };
      return [headingPiece(textPiece(block.children, context, place, SIZE.subheading, style), context)];
    }
    case "paragraph":
      return [...textPieces(block.children, context, place), ...picturesIn(block.children, context)];
    case "list":
      return listPieces(block, context, place);
    case "table":
      return tablePieces(block, context);
    case "code":
      return codePieces(block.text, block.language, context, place);
    case "quote":
      return piecesOf(block.blocks, context, quotedIn(place));
    case "rule":
      return [];
    case "page-break":
      return [{ height: 0, draw: () => undefined, breaks: true }];
    case "math": {
      const formula = pictures.formulas.get(block.tex);
      return formula === undefined
        ? codePieces(block.tex, null, context, place)
        : [picturePiece(formula, block.tex, "", context, 1.5)];
    }
    case "image": {
      const picture = pictures.images.get(block.src);
      if (picture !== undefined) return [picturePiece(picture, block.alt, block.caption, context, 1)];
      const text = `${context.labels.noPicture}${block.alt === "" ? "" : `: ${block.alt}`}`;
      return [textPiece([{ kind: "text", text }], context, place, SIZE.small, { italic: true, color: theme.muted })];
    }
  }
}

/** A heading in a box of its own, with space above that separates it from the text before. */
function headingPiece({ paragraph, height }: TextPiece, { theme, properties }: PieceContext): Piece {
  return {
    height: height + GAP,
    above: GAP,
    leads: true,
    draw: (slide, y) => new TextBox(slide, theme, properties, y, paragraph).draw(),
  };
}

function quotedIn(place: Place): Place {
  const indent = place.indent + QUOTE_STEP;
  return { ...place, indent, quote: { indent } };
}

/** A paragraph, split if it would fill a slide. */
function textPieces(inlines: readonly Inline[], context: PieceContext, place: Place): TextPiece[] {
  const shape = { size: SIZE.body, width: BODY.w - place.indent - 0.1, face: context.theme.officeBody };
  const parts = splitText(inlines, (text) => textHeight(text, shape) <= BODY.h * TALLEST_SHARE);
  return parts.map((part) => textPiece(part, context, place, SIZE.body));
}

/** The larger pictures in a text, which are placed below it: text on a slide cannot contain pictures. */
function picturesIn(inlines: readonly Inline[], context: PieceContext): Piece[] {
  return inlines.flatMap((inline): Piece[] => {
    if ("children" in inline) return picturesIn(inline.children, context);
    const picture = inline.kind === "image" ? context.pictures.images.get(inline.src) : undefined;
    if (inline.kind !== "image" || picture === undefined || picture.height < SIGN_HEIGHT) return [];
    return [picturePiece(picture, inline.alt, "", context, 1)];
  });
}

function textPiece(
  inlines: readonly Inline[],
  context: PieceContext,
  { indent, level, quote }: Place,
  size: number,
  style: TextOptions = {},
): TextPiece {
  const text = plainText(inlines) || " ";
  const isTurned = isRightToLeft(text);
  const height = textHeight(text, { size, width: BODY.w - indent - 0.1, face: context.theme.officeBody });
  const runs = paragraphRuns(inlines, context, { fontSize: size, color: context.theme.ink, ...style });
  return {
    height: height + GAP,
    leads: /[:：,]\s*$/.test(text),
    paragraph: { runs, level, indent, hanging: 0, height, after: GAP, isTurned, mark: null, quote },
  };
}

function listPieces(block: ListBlock, context: PieceContext, place: Place): Piece[] {
  const digits = block.ordered ? String(block.start + block.items.length - 1).length : 1;
  const step = LIST_STEP + 0.12 * (digits - 1);
  const inner = { ...place, indent: place.indent + step, level: place.level + 1 };
  return block.items.flatMap(({ done, blocks }, at): Piece[] => {
    const [first, ...rest] = blocks;
    const children = first?.kind === "paragraph" ? first.children : [];
    const [body, ...more] = textPieces(children, context, inner);
    if (body === undefined) return [];
    const after = GAP - 0.02;
    const line = { ...body.paragraph, level: place.level, hanging: step, after };
    const remaining = first?.kind === "paragraph" ? rest : blocks;
    const item: Piece = {
      height: line.height + after,
      // The further content of the item begins on the same slide.
      leads: remaining.length > 0 || body.leads === true,
      paragraph: marked(line, block, at, done, context),
    };
    return [item, ...more, ...picturesIn(children, context), ...piecesOf(remaining, context, inner)];
  });
}

function marked(
  line: SlideParagraph,
  list: ListBlock,
  at: number,
  done: boolean | null,
  { theme }: PieceContext,
): SlideParagraph {
  const sign = (mark: string, face: string) => ({ ...line, mark: { kind: "sign", sign: mark, face } as const });
  if (done !== null) return sign(done ? "☑" : "☐", "Segoe UI Symbol");
  if (!list.ordered) return sign("•", theme.officeBody);
  const number = list.start + at;
  if (number >= MIN_NUMBER && number <= MAX_NUMBER) return { ...line, mark: { kind: "number", number, list } };
  const written: Run = { text: `${number}.\t`, options: { fontSize: SIZE.body, color: theme.accent } };
  return { ...line, runs: [written, ...line.runs] };
}

const NO_LINE = { type: "none" } as const;

type Row = readonly (readonly Inline[])[];

function tablePieces(block: TableBlock, context: PieceContext): Piece[] {
  const { theme } = context;
  const face = theme.officeBody;
  const layout = layOutTable(block, { width: BODY.w * POINTS_AN_INCH, size: SIZE.table, face });
  const { size } = layout;
  const inset = layout.inset / POINTS_AN_INCH;
  // A small table gets some extra space.
  const natural = layout.widths.reduce((sum, width) => sum + width, 0) / POINTS_AN_INCH;
  const grow = layout.isNatural ? Math.min(MAX_GROWTH, BODY.w / natural) : 1;
  const colW = layout.widths.map((width) => (width * grow) / POINTS_AN_INCH);
  const shapeOf = (at: number) => ({ size, width: Math.max(0.1, (colW[at] ?? 1) - 2 * inset - 0.02), face });
  const cellHeight = (text: string, at: number) => textHeight(text || " ", shapeOf(at));
  const rowHeight = (row: Row) => Math.max(...row.map((cell, at) => cellHeight(plainText(cell), at))) + 0.11;
  const hasHead = block.header.some((cell) => cell.length > 0);
  const headHeight = hasHead ? rowHeight(block.header) : 0;
  const most = (BODY.h - headHeight) * TALLEST_SHARE;
  const rows = block.rows
    .flatMap((row) => splitRow(row, (text, at) => cellHeight(text, at) <= most))
    .map((row) => ({ row, height: rowHeight(row) }));
  if (rows.length === 0 && !hasHead) return [];
  const isTurned = isTurnedTable(block);
  const inOrder = <T>(cells: T[]): T[] => (isTurned ? cells.toReversed() : cells);
  const toRow = (row: Row, head: boolean): TableRow =>
    inOrder(
      row.map((cell, at) => {
        const side = sideOf(isRightToLeft(plainText(cell), isTurned), block.align[at] ?? null);
        const style = { ...side, ...(head ? { bold: true, color: theme.heading } : { color: theme.ink }) };
        const line = { type: "solid" as const, pt: head ? 1.25 : 0.75, color: head ? theme.accent : theme.line };
        return {
          // An empty cell contains a space, because otherwise it would have the largest letter size.
          text: cell.length === 0 ? [{ text: " ", options: { fontSize: size } }] : inlineRuns(cell, context, style),
          options: {
            ...side,
            ...(head ? { fill: { color: theme.tableHead } } : {}),
            border: [NO_LINE, NO_LINE, line, NO_LINE],
          },
        };
      }),
    );
  return [
    rowsPiece(rows, headHeight + GAP * 2, (shown, slide, y) => {
      const table = [...(hasHead ? [toRow(block.header, true)] : []), ...shown.map(({ row }) => toRow(row, false))];
      const margin: [number, number, number, number] = [0.04, inset, 0.04, inset];
      const w = colW.reduce((sum, width) => sum + width, 0);
      const look = { fontSize: size, fontFace: face, margin, valign: "middle" as const };
      const x = isTurned ? BODY.x + BODY.w - w : BODY.x;
      slide.addTable(table, { x, y, w, colW: inOrder(colW), ...look });
    }),
  ];
}

/** "Left" means the start of a line, which is the right side in right-to-left text. */
function sideOf(rtlMode: boolean, given: "left" | "center" | "right" | null): TextOptions {
  const align = given ?? "left";
  if (!rtlMode || align === "center") return { align, rtlMode };
  return { align: align === "left" ? "right" : "left", rtlMode };
}

/** Splits a row that is taller than a slide. */
function splitRow(row: Row, fits: (text: string, at: number) => boolean): Row[] {
  const cells = row.map((cell, at) => splitText(cell, (text) => fits(text, at)));
  const count = Math.max(1, ...cells.map((parts) => parts.length));
  return Array.from({ length: count }, (_, at) => cells.map((parts) => parts[at] ?? []));
}

interface MeasuredRow {
  readonly height: number;
}

/** Rows that may continue on the next slide. `frame` surrounds them on each slide. */
function rowsPiece<T extends MeasuredRow>(
  rows: readonly T[],
  frame: number,
  draw: (rows: readonly T[], slide: Slide, y: number) => void,
): ShapePiece {
  // The top of each row, as if all were on one slide.
  const tops = [0];
  for (const { height } of rows) tops.push((tops.at(-1) ?? 0) + height);
  const between = (from: number, to: number) => (tops[to] ?? 0) - (tops[from] ?? 0);
  const part = (from: number): ShapePiece => ({
    height: between(from, rows.length) + frame,
    draw: (slide, y) => draw(rows.slice(from), slide, y),
    split: (room) => {
      let to = from;
      while (to < rows.length && between(from, to + 1) + frame <= room) to++;
      if (to === from || to === rows.length) return null;
      const shown: ShapePiece = {
        height: between(from, to) + frame,
        draw: (slide, y) => draw(rows.slice(from, to), slide, y),
      };
      return [shown, part(to)];
    },
  });
  return part(0);
}

function codePieces(text: string, language: string | null, context: PieceContext, place: Place): Piece[] {
  const { theme } = context;
  const x = BODY.x + place.indent;
  const w = BODY.w - place.indent;
  const shape = { size: SIZE.code, width: w - 0.3, face: "monospace" };
  const lines = highlightLines(drawable(text), language).map((pieces) => {
    const words = pieces.map((piece) => piece.text).join("");
    return { pieces, height: textHeight(words, shape) };
  });
  const draw = (rows: typeof lines, slide: Slide, y: number) => {
    const h = rows.reduce((sum, { height }) => sum + height, 0.2);
    const runs = rows.flatMap(({ pieces }) => {
      const line: Run[] = pieces.map(({ text: words, colour }) => ({
        text: words,
        options: { color: colour === null ? theme.ink : theme.code[colour] },
      }));
      if (line.length === 0) line.push({ text: " ", options: {} });
      const last = line.at(-1);
      if (last !== undefined) last.options = { ...last.options, breakLine: true };
      return line;
    });
    slide.addText(runs, {
      x,
      y,
      w,
      h,
      shape: "rect",
      fill: { color: theme.panel },
      line: { color: theme.line, width: 0.5 },
      margin: [7, 8, 7, 8],
      valign: "top",
      fontFace: CODE_FACE,
      fontSize: SIZE.code,
      fit: "none",
    });
  };
  return [rowsPiece(lines, 0.2 + GAP * 1.4, (rows, slide, y) => draw([...rows], slide, y))];
}

function picturePiece(
  picture: OfficePicture,
  alt: string,
  caption: string,
  { theme }: PieceContext,
  grow: number,
): Piece {
  const room = caption === "" ? BODY.h - 0.1 : BODY.h - 0.45;
  const scale = Math.min((picture.width / 96) * grow, BODY.w, (room * picture.width) / picture.height);
  const w = scale;
  const h = (scale * picture.height) / picture.width;
  const data = `image/${picture.type === "jpg" ? "jpeg" : picture.type};base64,${Buffer.from(picture.data).toString("base64")}`;
  return {
    height: h + GAP * 1.5 + (caption === "" ? 0 : 0.34),
    draw: (slide, y) => {
      slide.addImage({ data, x: BODY.x + (BODY.w - w) / 2, y, w, h, altText: drawable(alt).slice(0, 500) });
      if (caption === "") return;
      const box = { x: BODY.x, y: y + h + 0.05, w: BODY.w, h: 0.26, margin: 0 };
      slide.addText(drawable(caption), {
        ...box,
        align: "center",
        fontSize: SIZE.small,
        color: theme.muted,
        fontFace: theme.officeBody,
      });
    },
  };
}

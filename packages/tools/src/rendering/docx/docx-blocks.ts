/** Blocks as paragraphs and tables of a Word document. */
import {
  AlignmentType,
  Bookmark,
  BorderStyle,
  type FileChild,
  HeadingLevel,
  type IParagraphOptions,
  PageBreak,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import { isRightToLeft } from "../model/direction.ts";
import { type DocumentBlock, type Inline, type ListBlock, plainText, type TableBlock } from "../model/document.ts";
import { highlightLines } from "../model/highlight.ts";
import { drawable } from "../model/readable-text.ts";
import { isTurnedTable, layOutTable, staysTogether, type TableLayout } from "../model/table-layout.ts";
import { bookmarkOf, type DocxContext, docxInlines, imageRun } from "./docx-inlines.ts";
import type { DocxNumbering } from "./docx-numbering.ts";

/** Properties that every paragraph of a block has, because of its place. */
interface Place {
  readonly listDepth: number;
  readonly quoteDepth: number;
  /** Indent from the margin, in twips. */
  readonly indent: number;
  readonly isNote: boolean;
}

/** Blocks on consecutive pages with the same orientation. */
export interface DocxPart {
  readonly isTurned: boolean;
  readonly children: FileChild[];
}

const TOP: Place = { listDepth: 0, quoteDepth: 0, indent: 0, isNote: false };
const LIST_STEP = 400;
/** Indent of a list whose numbers have three digits, which need more space. */
const WIDE_LIST_STEP = 560;
const TWIPS_A_POINT = 20;
const TABLE_SIZE = 10;
const TWIPS_A_PIXEL = 15;
/** Factor on the minimum width of a small table, so that it does not look cramped. */
const NATURAL = 1.25;
const QUOTE_STEP = 320;
/** Alignments. `left` means the start of a line, in text of either direction. */
const SIDES = { left: AlignmentType.START, center: AlignmentType.CENTER, right: AlignmentType.END } as const;
const LEVELS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
] as const;

export class DocxBlocks {
  readonly #context: DocxContext;
  readonly #numbering: DocxNumbering;
  /** Width between the margins, in twips. */
  readonly #width: number;
  /** The width between the margins on a landscape page; null if a landscape page gives no more space. */
  readonly #turnedWidth: number | null;

  constructor(context: DocxContext, numbering: DocxNumbering, width: number, turnedWidth: number | null) {
    this.#context = context;
    this.#numbering = numbering;
    this.#width = width;
    this.#turnedWidth = turnedWidth;
  }

  /** The blocks in order; a table that is too wide gets its own landscape pages. */
  write(blocks: readonly DocumentBlock[]): DocxPart[] {
    const parts: DocxPart[] = [{ isTurned: false, children: [] }];
    for (const [at, block] of blocks.entries()) {
      const turned = block.kind === "table" ? this.#turned(block) : null;
      if (turned !== null && block.kind === "table")
        parts.push(
          { isTurned: true, children: [this.#table(block, TOP, turned), gap()] },
          { isTurned: false, children: [] },
        );
      else {
        // Two adjacent boxes of code are separated, because Word would merge them.
        const isApart = block.kind === "code" && blocks[at - 1]?.kind === "code";
        parts.at(-1)?.children.push(...(isApart ? [gap()] : []), ...this.#block(block, TOP));
      }
    }
    return parts.filter(({ children }, at) => children.length > 0 || at === 0);
  }

  /** Writes a footnote, which contains only paragraphs: rows of a table become lines. */
  writeNote(blocks: readonly DocumentBlock[]): Paragraph[] {
    const place = { ...TOP, isNote: true };
    return blocks
      .flatMap((block, at) => {
        if (block.kind === "table")
          return [block.header, ...block.rows].map((row) =>
            this.#paragraph([new TextRun(drawable(row.map(plainText).join("  ·  ")))], place, {}),
          );
        if (at === 0 && block.kind === "paragraph")
          return [
            this.#paragraph([new TextRun(" "), ...this.#inlines(block.children)], place, directionOf(block.children)),
          ];
        return this.#block(block, place);
      })
      .filter((each) => each instanceof Paragraph);
  }

  #room(width: number): Parameters<typeof layOutTable>[1] {
    return { width: width / TWIPS_A_POINT, size: TABLE_SIZE, face: this.#context.theme.officeBody };
  }

  #turned(block: TableBlock): TableLayout | null {
    if (this.#turnedWidth === null || layOutTable(block, this.#room(this.#width)).fits) return null;
    return layOutTable(block, this.#room(this.#turnedWidth));
  }

  #block(block: DocumentBlock, place: Place): FileChild[] {
    switch (block.kind) {
      case "heading": {
        const children = [new Bookmark({ id: bookmarkOf(block.anchor), children: this.#inlines(block.children) })];
        const heading = LEVELS[block.level - 1] ?? HeadingLevel.HEADING_6;
        return [new Paragraph({ heading, children, ...directionOf(block.children) })];
      }
      case "paragraph":
        return [this.#paragraph(this.#inlines(block.children), place, directionOf(block.children))];
      case "list":
        return this.#list(block, place);
      case "table":
        return [this.#table(block, place, layOutTable(block, this.#room(this.#width - place.indent))), gap()];
      case "code":
        return [this.#code(block.text, block.language, place)];
      case "quote": {
        const inner = { ...place, quoteDepth: place.quoteDepth + 1, indent: place.indent + QUOTE_STEP };
        return block.blocks.flatMap((each) => this.#block(each, inner));
      }
      case "rule":
        return [
          new Paragraph({
            children: [],
            spacing: { before: 160, after: 240 },
            border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: this.#context.theme.line, space: 1 } },
          }),
        ];
      case "page-break":
        return [new Paragraph({ children: [new PageBreak()] })];
      case "math": {
        const formula = this.#context.pictures.formulas.get(block.tex);
        if (formula === undefined) return [this.#code(block.tex, null, place)];
        const scale = Math.min(1, this.#pixels(place) / formula.width);
        const spacing = { before: 120, after: 200 };
        return [
          new Paragraph({ alignment: AlignmentType.CENTER, spacing, children: [imageRun(formula, scale, block.tex)] }),
        ];
      }
      case "image":
        return this.#image(block, place);
    }
  }

  #inlines(inlines: readonly Inline[]): ParagraphChild[] {
    return docxInlines(inlines, this.#context);
  }

  #paragraph(children: ParagraphChild[], place: Place, more: Partial<IParagraphOptions>): Paragraph {
    const style = place.isNote ? { style: "FootnoteText" } : {};
    return new Paragraph({ children, ...style, ...this.#placed(place, more.bidirectional === true), ...more });
  }

  /** Indentation, and the bar beside a quote, at the start of its lines. */
  #placed({ indent, quoteDepth }: Place, isTurned: boolean): Partial<IParagraphOptions> {
    if (quoteDepth === 0) return indent === 0 ? {} : { indent: { start: indent } };
    const bar = { style: BorderStyle.SINGLE, size: 18, color: this.#context.theme.accent, space: 10 };
    return { indent: { start: indent }, border: isTurned ? { right: bar } : { left: bar } };
  }

  /** Writes a list. The first paragraph of an item has its mark; the others are indented. */
  #list(block: ListBlock, place: Place): FileChild[] {
    const level = Math.min(place.listDepth, 8);
    const reference = block.ordered ? this.#numbering.ordered(level, block.start) : this.#numbering.bullets;
    const step = block.ordered && block.start + block.items.length > 100 ? WIDE_LIST_STEP : LIST_STEP;
    const inner = { ...place, listDepth: place.listDepth + 1, indent: place.indent + LIST_STEP };
    const base = place.indent - place.listDepth * LIST_STEP;
    return block.items.flatMap(({ done, blocks }, at) => {
      const isLast = at === block.items.length - 1 && place.listDepth === 0;
      const [first, ...rest] = blocks;
      const children = first?.kind === "paragraph" ? first.children : [];
      const isTask = done !== null;
      const mark = isTask
        ? [new TextRun({ text: done ? "☑ " : "☐ ", font: "Segoe UI Symbol", color: this.#context.theme.accent })]
        : [];
      const numbering = isTask ? {} : { numbering: { reference, level } };
      // A list in a quote begins at the quote, not at the margin.
      const indent = { start: base + level * LIST_STEP + step, hanging: step };
      const direction = directionOf(children);
      const item = new Paragraph({
        style: place.isNote ? "FootnoteText" : "ListParagraph",
        spacing: { after: isLast && blocks.length <= 1 ? 180 : 80 },
        children: [...mark, ...this.#inlines(children)],
        ...this.#placed(place, direction.bidirectional === true),
        ...numbering,
        indent: isTask ? { ...indent, hanging: 300 } : indent,
        ...direction,
      });
      const remaining = first?.kind === "paragraph" ? rest : blocks;
      return [item, ...remaining.flatMap((each) => this.#block(each, inner))];
    });
  }

  #table(block: TableBlock, place: Place, layout: TableLayout): Table {
    const { theme } = this.#context;
    const inset = layout.inset * TWIPS_A_POINT;
    const isTurned = isTurnedTable(block);
    const natural = layout.widths.map((width) => width * (layout.isNatural ? NATURAL : 1) * TWIPS_A_POINT);
    // Programs disagree on which side a small right-to-left table begins, so it gets the full width.
    const grow = isTurned && layout.isNatural ? (this.#width - place.indent) / sumOf(natural) : 1;
    const widths = natural.map((width) => Math.round(width * grow));
    const line = { style: BorderStyle.SINGLE, size: 4, color: theme.line };
    const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
    const cell = (inlines: readonly Inline[], at: number, head: boolean, keepNext: boolean) =>
      new TableCell({
        width: { size: widths[at] ?? 0, type: WidthType.DXA },
        margins: { top: 40, bottom: 40, left: inset, right: inset },
        borders: {
          top: none,
          left: none,
          right: none,
          bottom: head ? { ...line, size: 10, color: theme.accent } : line,
        },
        ...(head ? { shading: { type: "clear", fill: theme.tableHead } } : {}),
        children: [
          new Paragraph({
            style: "TableText",
            keepNext,
            children: docxInlines(
              inlines,
              { ...this.#context, pixels: ((widths[at] ?? 0) - 2 * inset) / TWIPS_A_PIXEL },
              { size: Math.round(layout.size * 2), ...(head ? { bold: true, color: theme.heading } : {}) },
            ),
            alignment: SIDES[block.align[at] ?? "left"],
            ...directionOf(inlines, isTurned),
          }),
        ],
      });
    const hasHead = block.header.some((each) => each.length > 0);
    const head = hasHead
      ? [
          new TableRow({
            tableHeader: true,
            cantSplit: true,
            children: block.header.map((each, at) => cell(each, at, true, true)),
          }),
        ]
      : [];
    const last = block.rows.length - 1;
    const isKept = staysTogether(block);
    const rows = block.rows.map((row, n) => {
      // A short table stays together; a long one leaves no single row on a page.
      const keepNext = n < last && (isKept || n < 2 || n === last - 1);
      return new TableRow({ cantSplit: true, children: row.map((each, at) => cell(each, at, false, keepNext)) });
    });
    return new Table({
      columnWidths: widths,
      width: { size: sumOf(widths), type: WidthType.DXA },
      indent: { size: place.indent, type: WidthType.DXA },
      visuallyRightToLeft: isTurned,
      borders: { top: none, bottom: none, left: none, right: none, insideHorizontal: none, insideVertical: none },
      rows: [...head, ...rows],
    });
  }

  #code(text: string, language: string | null, place: Place): Paragraph {
    const { theme } = this.#context;
    const lines = highlightLines(drawable(text), language);
    const children = lines.flatMap((line, at) => {
      const before = at === 0 ? [] : [new TextRun({ break: 1 })];
      return [
        ...before,
        ...line.map(
          (piece) =>
            new TextRun({ text: piece.text, ...(piece.colour === null ? {} : { color: theme.code[piece.colour] }) }),
        ),
      ];
    });
    const short = lines.length <= 20 ? { keepLines: true } : {};
    return new Paragraph({ style: "Code", children, ...short, indent: { start: place.indent + 120, end: 120 } });
  }

  #image(block: Extract<DocumentBlock, { kind: "image" }>, place: Place): FileChild[] {
    const picture = this.#context.pictures.images.get(block.src);
    const { theme } = this.#context;
    if (picture === undefined) {
      const text = `${this.#context.labels.noPicture}${block.alt === "" ? "" : `: ${drawable(block.alt)}`}`;
      return [
        new Paragraph({ style: "Caption", children: [new TextRun({ text, color: theme.muted, italics: true })] }),
      ];
    }
    const wanted = block.width ?? picture.width;
    const scale = Math.min(wanted / picture.width, this.#pixels(place) / picture.width, 620 / picture.height);
    const caption =
      block.caption === ""
        ? []
        : [new Paragraph({ style: "Caption", children: [new TextRun(drawable(block.caption))] })];
    const children = [imageRun(picture, scale, block.alt)];
    const spacing = { before: 160, after: caption.length === 0 ? 200 : 60 };
    return [
      new Paragraph({ alignment: AlignmentType.CENTER, spacing, keepNext: caption.length > 0, children }),
      ...caption,
    ];
  }

  /** Width between the margins, in CSS pixels. */
  #pixels(place: Place): number {
    return (this.#width - place.indent) / TWIPS_A_PIXEL;
  }
}

/** An almost invisible paragraph between things that would otherwise merge. */
function gap(): Paragraph {
  return new Paragraph({ children: [], spacing: { before: 0, after: 0, line: 160, lineRule: "exact" } });
}

function directionOf(inlines: readonly Inline[], around = false): Partial<IParagraphOptions> {
  return isRightToLeft(plainText(inlines), around) ? { bidirectional: true } : {};
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}

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
import { columnWeights } from "../typst/column-weights.ts";
import { bookmarkOf, type DocxContext, docxInlines, imageRun } from "./docx-inlines.ts";
import type { DocxNumbering } from "./docx-numbering.ts";

/** Where a block stands: what every paragraph of it carries. */
interface Place {
  readonly listDepth: number;
  readonly quoteDepth: number;
  /** Twips from the margin. */
  readonly indent: number;
}

const TOP: Place = { listDepth: 0, quoteDepth: 0, indent: 0 };
const LIST_STEP = 400;
const QUOTE_STEP = 320;
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
  /** Twips between the margins. */
  readonly #width: number;

  constructor(context: DocxContext, numbering: DocxNumbering, width: number) {
    this.#context = context;
    this.#numbering = numbering;
    this.#width = width;
  }

  write(blocks: readonly DocumentBlock[]): FileChild[] {
    return blocks.flatMap((block, at) => {
      // Two boxes of code would grow together.
      const apart = block.kind === "code" && blocks[at - 1]?.kind === "code";
      return [
        ...(apart ? [new Paragraph({ spacing: { after: 0, line: 120, lineRule: "exact" } })] : []),
        ...this.#block(block, TOP),
      ];
    });
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
        return [this.#table(block, place), new Paragraph({ children: [], spacing: { after: 120 } })];
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
    return new Paragraph({ children, ...this.#placed(place), ...more });
  }

  /** Indentation, and the bar beside a quote. */
  #placed({ indent, quoteDepth }: Place): Partial<IParagraphOptions> {
    if (quoteDepth === 0) return indent === 0 ? {} : { indent: { start: indent } };
    return {
      indent: { start: indent },
      border: { left: { style: BorderStyle.SINGLE, size: 18, color: this.#context.theme.accent, space: 10 } },
    };
  }

  /** The first paragraph of an item carries its mark; what follows is indented under it. */
  #list(block: ListBlock, place: Place): FileChild[] {
    const level = Math.min(place.listDepth, 8);
    const reference = block.ordered ? this.#numbering.ordered(level, block.start) : this.#numbering.bullets;
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
      // A list that stands in a quote begins where the quote does, not at the margin.
      const indent = { start: base + (level + 1) * LIST_STEP, hanging: LIST_STEP };
      const item = new Paragraph({
        style: "ListParagraph",
        spacing: { after: isLast && blocks.length <= 1 ? 180 : 80 },
        children: [...mark, ...this.#inlines(children)],
        ...this.#placed(place),
        ...numbering,
        indent: isTask ? { ...indent, hanging: 300 } : indent,
        ...directionOf(children),
      });
      const remaining = first?.kind === "paragraph" ? rest : blocks;
      return [item, ...remaining.flatMap((each) => this.#block(each, inner))];
    });
  }

  #table(block: TableBlock, place: Place): Table {
    const { theme } = this.#context;
    const weights = columnWeights(block).map((weight) => (weight === 0 ? 1 : weight));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const natural = columnWeights(block).every((weight) => weight === 0);
    const room = (this.#width - place.indent) * (natural ? 0.7 : 1);
    const widths = weights.map((weight) => Math.round((room * weight) / sum));
    const line = { style: BorderStyle.SINGLE, size: 4, color: theme.line };
    const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
    const cell = (inlines: readonly Inline[], at: number, head: boolean) =>
      new TableCell({
        width: { size: widths[at] ?? 0, type: WidthType.DXA },
        margins: { top: 40, bottom: 40, left: 100, right: 100 },
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
            children: docxInlines(inlines, this.#context, head ? { bold: true, color: theme.heading } : {}),
            alignment: block.align[at] ?? AlignmentType.START,
            ...directionOf(inlines),
          }),
        ],
      });
    const hasHead = block.header.some((each) => each.length > 0);
    const head = hasHead
      ? [
          new TableRow({
            tableHeader: true,
            cantSplit: true,
            children: block.header.map((each, at) => cell(each, at, true)),
          }),
        ]
      : [];
    const rows = block.rows.map(
      (row) => new TableRow({ cantSplit: true, children: row.map((each, at) => cell(each, at, false)) }),
    );
    return new Table({
      columnWidths: widths,
      width: { size: widths.reduce((total, width) => total + width, 0), type: WidthType.DXA },
      indent: { size: place.indent, type: WidthType.DXA },
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
      const text = `Picture not available${block.alt === "" ? "" : `: ${drawable(block.alt)}`}`;
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

  /** CSS pixels between the margins: 15 twips each. */
  #pixels(place: Place): number {
    return (this.#width - place.indent) / 15;
  }
}

function directionOf(inlines: readonly Inline[]): Partial<IParagraphOptions> {
  return isRightToLeft(plainText(inlines)) ? { bidirectional: true } : {};
}

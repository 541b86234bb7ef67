/** Converts a document to data for `template.typ`, without broken links, pictures, references or formulas. */
import type { Assets } from "../image/assets.ts";
import { isDrawable } from "../image/prepare-image.ts";
import { closeUp, referencesOf } from "../model/cited.ts";
import { isRightToLeft } from "../model/direction.ts";
import {
  type DocumentBlock,
  type Inline,
  isMark,
  plainText,
  type RichDocument,
  type TableBlock,
} from "../model/document.ts";
import { labelsOf } from "../model/labels.ts";
import { linkTarget } from "../model/links.ts";
import { breakable, drawable } from "../model/readable-text.ts";
import { columnRoom, isTurnedTable, layOutTable, staysTogether } from "../model/table-layout.ts";
import { emWidth } from "../model/text-width.ts";
import { allBlocks } from "../model/walk.ts";
import type { DocumentOptions } from "../renderer/document-renderer.ts";
import { type Theme, themeOf } from "../renderer/theme.ts";
import { codeLines } from "./code-lines.ts";
import { typstMath } from "./typst-math.ts";

type Data = { readonly [key: string]: unknown };

/** Maximum width in ems of a word before it may break. */
const MAX_WORD_LENGTH = { text: 20, heading: 12 } as const;
const TALLEST_BLOCK = 4_000;
/** Font sizes in points, the same as in the template. */
const SIZE = { text: 9.8, serif: 10.6, table: 0.92, code: 0.83 } as const;
const CODE_INSET = 11;
/** Width of every code letter, as a multiple of the size. */
const CODE_LETTER = 0.6;
/** Indent of lists and quotes in points per level. */
const NESTED = 16;
/** Relative size of inline code, which is wider than text. */
const CODE_IN_TEXT = 0.8;
/** Maximum characters of a cell whose row stays on one page. */
const MAX_KEPT_LENGTH = 1_200;

export interface TypstData {
  readonly json: string;
  /** Pictures that the template names, by file. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface DrawingFacts {
  /** Size of the page in points. A picture is as high as its content, up to a maximum. */
  readonly page: { readonly width: number; readonly height: number | null };
  /** Whether to render one continuous picture instead of pages. */
  readonly picture: boolean;
  readonly fallback: readonly string[];
  /** Formulas that cannot be rendered. */
  readonly badMath: ReadonlySet<string>;
}

export function typstData(
  document: RichDocument,
  assets: Assets,
  options: DocumentOptions,
  facts: DrawingFacts,
): TypstData {
  const theme = themeOf(options.theme);
  const margin = marginOf(facts);
  const writer = new DataWriter(document, assets, options, facts);
  const { title } = document;
  const blocks = document.blocks.flatMap((block) => writer.block(block, 1));
  const references = [...assets.references.values()].sort((a, b) => a.number - b.number);
  const data = {
    title: title === null ? null : drawable(title),
    titleRtl: isRightToLeft(title ?? ""),
    author: options.author === null ? null : drawable(options.author),
    byline: [options.author, options.date]
      .filter((part) => part !== null)
      .map(drawable)
      .join("  ·  "),
    language: options.language,
    labels: labelsOf(options.language),
    page: facts.page,
    margin,
    size: textSize(theme),
    pageNumbers: options.pageNumbers,
    picture: facts.picture,
    toc: options.toc && document.blocks.some(({ kind }) => kind === "heading"),
    theme,
    fallback: facts.fallback,
    blocks,
    sources: references.map(({ number, title: name, url, detail }) => ({
      number,
      title: writer.words(name, MAX_WORD_LENGTH.text),
      url,
      detail: drawable(detail),
    })),
  };
  return { json: JSON.stringify(data), files: writer.files };
}

class DataWriter {
  readonly files = new Map<string, Uint8Array>();
  readonly #document: RichDocument;
  readonly #assets: Assets;
  readonly #theme: Theme;
  readonly #facts: DrawingFacts;
  readonly #noPicture: string;
  /** Width between the margins, in points. */
  readonly #width: number;
  readonly #anchors: ReadonlySet<string>;
  readonly #fileOf = new Map<string, string>();
  readonly #notes = new Set<number>();

  constructor(document: RichDocument, assets: Assets, options: DocumentOptions, facts: DrawingFacts) {
    this.#document = document;
    this.#assets = assets;
    this.#theme = themeOf(options.theme);
    this.#noPicture = labelsOf(options.language).noPicture;
    this.#facts = facts;
    this.#width = facts.page.width - 2 * marginOf(facts);
    this.#anchors = new Set(
      [...allBlocks(document)].flatMap((block) => (block.kind === "heading" ? [block.anchor] : [])),
    );
  }

  block(block: DocumentBlock, depth: number): Data[] {
    const nested = (blocks: readonly DocumentBlock[]) => blocks.flatMap((each) => this.block(each, depth + 1));
    switch (block.kind) {
      case "heading":
        return [
          {
            k: "heading",
            level: block.level,
            label: `heading-${block.anchor}`,
            rtl: isRightToLeft(plainText(block.children)),
            c: this.#inlines(block.children, MAX_WORD_LENGTH.heading),
          },
        ];
      case "paragraph":
        return [
          {
            k: "paragraph",
            rtl: isRightToLeft(plainText(block.children)),
            // Whether the block should not be the last on its page, because it introduces the next one.
            leads: /[:：,]\s*$/.test(plainText(block.children)),
            c: this.#inlines(block.children, MAX_WORD_LENGTH.text),
          },
        ];
      case "list":
        return [
          {
            k: "list",
            ordered: block.ordered,
            start: Math.max(0, block.start),
            tasks: block.items.some(({ done }) => done !== null),
            loose: block.items.some(({ blocks }) => blocks.filter(({ kind }) => kind !== "list").length > 1),
            rtl: isRightToLeft(textOf(block)),
            items: block.items.map(({ done, blocks }) => ({ done, blocks: nested(blocks) })),
          },
        ];
      case "table":
        return this.#table(block, depth);
      case "code":
        return chunks(codeLines(block.text, block.language, this.#codeLetters(depth))).map((lines) => ({
          k: "code",
          lines,
        }));
      case "quote":
        return [{ k: "quote", rtl: isRightToLeft(textOf(block)), blocks: nested(block.blocks) }];
      case "rule":
        return [{ k: "rule" }];
      case "page-break":
        return depth === 1 ? [{ k: "page-break" }] : [];
      case "math": {
        const m = this.#math(block.tex);
        if (m === null) return this.block({ kind: "code", language: null, text: block.tex }, depth);
        return [{ k: "math", m, tex: drawable(block.tex) }];
      }
      case "image": {
        const image = this.#assets.images.get(block.src);
        if (!isDrawable(image)) return [{ k: "missing", alt: drawable(block.alt || block.caption) }];
        const w = block.width ?? image.width;
        const caption = drawable(block.caption);
        return [
          {
            k: "image",
            file: this.#file(block.src),
            w,
            h: (image.height * w) / image.width,
            alt: drawable(block.alt),
            caption,
          },
        ];
      }
    }
  }

  #table(block: TableBlock, depth: number): Data[] {
    const face = this.#theme.body;
    const room = { width: this.#width - (depth - 1) * NESTED, size: textSize(this.#theme) * SIZE.table, face };
    const upright = layOutTable(block, room);
    // A separate landscape page for a table that is too wide.
    const turned = this.#turnedWidth(depth);
    const isTurned = !upright.fits && turned !== null;
    const layout = isTurned ? layOutTable(block, { ...room, width: turned }) : upright;
    const rtl = isTurnedTable(block);
    const cell = (inlines: readonly Inline[], at: number) => ({
      rtl: isRightToLeft(plainText(inlines), rtl),
      c: this.#inlines(inlines, columnRoom(layout, at)),
    });
    return [
      {
        k: "table",
        rtl,
        few: staysTogether(block),
        turned: isTurned,
        size: layout.size,
        inset: layout.inset,
        widths: layout.isNatural ? null : layout.widths,
        align: block.align,
        head: block.header.some((each) => each.length > 0),
        header: block.header.map(cell),
        rows: block.rows.map((row) => row.map(cell)),
        // Rows that should not be split; a row that fills whole pages must be.
        keep: block.rows.map((row) => Math.max(0, ...row.map((each) => plainText(each).length)) <= MAX_KEPT_LENGTH),
      },
    ];
  }

  /** Width of a landscape page; null in a picture, inside other blocks, and on landscape pages. */
  #turnedWidth(depth: number): number | null {
    const { page, picture } = this.#facts;
    if (picture || depth > 1 || page.height === null || page.height <= page.width) return null;
    return page.height - (page.width - this.#width);
  }

  /** Characters per line of code. */
  #codeLetters(depth: number): number {
    const width = this.#width - 2 * CODE_INSET - (depth - 1) * NESTED;
    return Math.max(8, Math.floor(width / (textSize(this.#theme) * SIZE.code * CODE_LETTER)));
  }

  /** The words in parts between which a line may break. `longest` is in ems. */
  words(text: string, longest: number): string[] {
    const face = this.#theme.body;
    return breakable(drawable(text), (word) => word.length * 0.25 > longest || emWidth(word, face) > longest);
  }

  #inlines(inlines: readonly Inline[], longest: number): Data[] {
    return closeUp(inlines, this.#assets.references).map((inline) => this.#inline(inline, longest));
  }

  #inline(inline: Inline, longest: number): Data {
    const c = (children: readonly Inline[]) => this.#inlines(children, longest);
    if (isMark(inline)) return { k: inline.kind, c: c(inline.children) };
    switch (inline.kind) {
      case "text":
        return { k: "text", t: this.words(inline.text, longest) };
      case "code":
        return { k: "code", t: this.words(inline.text, longest * CODE_IN_TEXT) };
      case "break":
        return { k: "break" };
      case "link": {
        const target = linkTarget(inline.href, this.#anchors);
        if (target === null) return { k: "group", c: c(inline.children) };
        return "url" in target
          ? { k: "link", href: target.url, c: c(inline.children) }
          : { k: "jump", to: `heading-${target.anchor}`, c: c(inline.children) };
      }
      case "image": {
        const image = this.#assets.images.get(inline.src);
        if (!isDrawable(image)) return { k: "text", t: [`[${drawable(inline.alt) || this.#noPicture}]`] };
        return { k: "image", file: this.#file(inline.src), h: image.height, alt: drawable(inline.alt) };
      }
      case "math": {
        const m = this.#math(inline.tex);
        return m === null
          ? { k: "code", t: this.words(inline.tex, longest * CODE_IN_TEXT) }
          : { k: "math", m, tex: drawable(inline.tex) };
      }
      case "footnote":
        return this.#note(inline.number);
      case "citation": {
        const refs = referencesOf(inline, this.#assets.references);
        return refs.length === 0
          ? { k: "text", t: [inline.token] }
          : { k: "cite", refs: refs.map(({ number }) => number) };
      }
    }
  }

  /** The text of a note is placed at its first reference. */
  #note(n: number): Data {
    const first = !this.#notes.has(n);
    this.#notes.add(n);
    if (!first) return { k: "note", n, first };
    const blocks = this.#document.footnotes[n - 1] ?? [];
    return { k: "note", n, first, c: this.#inlines(flatten(blocks), MAX_WORD_LENGTH.text) };
  }

  #math(tex: string): string | null {
    return this.#facts.badMath.has(tex) ? null : typstMath(tex);
  }

  #file(src: string): string {
    const known = this.#fileOf.get(src);
    if (known !== undefined) return known;
    const image = this.#assets.images.get(src);
    const file = `/image-${this.files.size + 1}.${isDrawable(image) ? image.format : "bin"}`;
    if (isDrawable(image)) this.files.set(file, image.bytes);
    this.#fileOf.set(src, file);
    return file;
  }
}

/** Letter size of running text in points. */
function textSize({ name }: Theme): number {
  return name === "classic" ? SIZE.serif : SIZE.text;
}

/** Side margins of a page in points. */
function marginOf({ page, picture }: DrawingFacts): number {
  return picture ? 44 : page.width > 460 ? 68 : 48;
}

/** Joins the text of blocks into one paragraph, for a footnote. */
function flatten(blocks: readonly DocumentBlock[]): Inline[] {
  return blocks.flatMap((block, at): Inline[] => {
    const inlines: readonly Inline[] =
      block.kind === "paragraph" ? block.children : [{ kind: "text", text: textOf(block) }];
    return at === 0 ? [...inlines] : [{ kind: "break" }, ...inlines];
  });
}

/** The words of a block, to determine its direction. */
function textOf(block: DocumentBlock): string {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return plainText(block.children);
    case "quote":
      return block.blocks.map(textOf).join(" ");
    case "list":
      return block.items.flatMap((item) => item.blocks.map(textOf)).join(" ");
    case "code":
      return block.text;
    case "math":
      return block.tex;
    case "table":
      return [block.header, ...block.rows].map((row) => row.map(plainText).join(" · ")).join("; ");
    case "image":
      return block.caption || block.alt;
    case "rule":
    case "page-break":
      return "";
  }
}

/** Splits code of thousands of lines into several boxes, because one box is laid out at once. */
function chunks<T>(lines: readonly T[]): (readonly T[])[] {
  return Array.from({ length: Math.ceil(lines.length / TALLEST_BLOCK) }, (_, at) =>
    lines.slice(at * TALLEST_BLOCK, (at + 1) * TALLEST_BLOCK),
  );
}

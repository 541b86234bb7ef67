/**
 * A document as the data `template.typ` draws. Every text is a string of JSON; formulas have been checked
 * (`typst-math.ts`); links, pictures and references that lead nowhere are resolved here, so that the template never
 * meets one.
 */
import type { Assets } from "../assets.ts";
import type { DocumentOptions } from "../document-renderer.ts";
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
import { highlightLines } from "../model/highlight.ts";
import { linkTarget } from "../model/links.ts";
import { breakable, drawable } from "../model/readable-text.ts";
import { allBlocks } from "../model/walk.ts";
import { themeOf } from "../theme.ts";
import { columnWeights } from "./column-weights.ts";
import { typstMath } from "./typst-math.ts";

type Data = { readonly [key: string]: unknown };

/** Characters of a word before it may break; a table's columns are narrow. */
const LONGEST_WORD = { text: 48, cell: 20, code: 88 } as const;
const TALLEST_BLOCK = 4_000;

export interface TypstData {
  readonly json: string;
  /** Pictures the template names, by file. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface DrawingFacts {
  /** Points; a picture is as high as its content, unless that is too high. */
  readonly page: { readonly width: number; readonly height: number | null };
  /** One continuous picture instead of pages. */
  readonly picture: boolean;
  readonly fallback: readonly string[];
  /** Formulas that cannot be drawn. */
  readonly badMath: ReadonlySet<string>;
}

export function typstData(
  document: RichDocument,
  assets: Assets,
  options: DocumentOptions,
  facts: DrawingFacts,
): TypstData {
  const writer = new DataWriter(document, assets, facts.badMath);
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
    page: facts.page,
    pageNumbers: options.pageNumbers,
    picture: facts.picture,
    toc: options.toc && document.blocks.some(({ kind }) => kind === "heading"),
    theme: themeOf(options.theme),
    fallback: facts.fallback,
    blocks,
    sources: references.map(({ number, title: name, url, detail }) => ({
      number,
      title: breakable(drawable(name), LONGEST_WORD.text),
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
  readonly #badMath: ReadonlySet<string>;
  readonly #anchors: ReadonlySet<string>;
  readonly #fileOf = new Map<string, string>();
  readonly #notes = new Set<number>();

  constructor(document: RichDocument, assets: Assets, badMath: ReadonlySet<string>) {
    this.#document = document;
    this.#assets = assets;
    this.#badMath = badMath;
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
            c: this.#inlines(block.children, LONGEST_WORD.text),
          },
        ];
      case "paragraph":
        return [
          {
            k: "paragraph",
            rtl: isRightToLeft(plainText(block.children)),
            c: this.#inlines(block.children, LONGEST_WORD.text),
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
        return this.#table(block);
      case "code":
        return chunks(highlightLines(drawable(block.text), block.language)).map((lines) => ({
          k: "code",
          lines: lines.map((line) =>
            line.map(({ text, colour }) => {
              const shown = breakable(text, LONGEST_WORD.code);
              return colour === null ? [shown] : [shown, colour];
            }),
          ),
        }));
      case "quote":
        return [{ k: "quote", blocks: nested(block.blocks) }];
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

  #table(block: TableBlock): Data[] {
    const cell = (inlines: readonly Inline[]) => ({
      rtl: isRightToLeft(plainText(inlines)),
      c: this.#inlines(inlines, LONGEST_WORD.cell),
    });
    return [
      {
        k: "table",
        columns: block.header.length,
        align: block.align,
        widths: columnWeights(block),
        head: block.header.some((each) => each.length > 0),
        header: block.header.map(cell),
        rows: block.rows.map((row) => row.map(cell)),
      },
    ];
  }

  #inlines(inlines: readonly Inline[], longest: number): Data[] {
    return closeUp(inlines, this.#assets.references).map((inline) => this.#inline(inline, longest));
  }

  #inline(inline: Inline, longest: number): Data {
    const c = (children: readonly Inline[]) => this.#inlines(children, longest);
    if (isMark(inline)) return { k: inline.kind, c: c(inline.children) };
    switch (inline.kind) {
      case "text":
        return { k: "text", t: breakable(drawable(inline.text), longest) };
      case "code":
        return { k: "code", t: breakable(drawable(inline.text), longest) };
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
        if (!isDrawable(image)) return { k: "text", t: [`[${drawable(inline.alt) || "picture not available"}]`] };
        return { k: "image", file: this.#file(inline.src), h: image.height, alt: drawable(inline.alt) };
      }
      case "math": {
        const m = this.#math(inline.tex);
        const tex = drawable(inline.tex);
        return m === null ? { k: "code", t: breakable(tex, longest) } : { k: "math", m, tex };
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

  /** The text of a note stands where it is first referred to. */
  #note(n: number): Data {
    const first = !this.#notes.has(n);
    this.#notes.add(n);
    if (!first) return { k: "note", n, first };
    const blocks = this.#document.footnotes[n - 1] ?? [];
    return { k: "note", n, first, c: this.#inlines(flatten(blocks), LONGEST_WORD.text) };
  }

  #math(tex: string): string | null {
    return this.#badMath.has(tex) ? null : typstMath(tex);
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

/** Blocks as one run of words, for a note at the foot of a page. */
function flatten(blocks: readonly DocumentBlock[]): Inline[] {
  return blocks.flatMap((block, at): Inline[] => {
    const inlines: readonly Inline[] =
      block.kind === "paragraph" ? block.children : [{ kind: "text", text: textOf(block) }];
    return at === 0 ? [...inlines] : [{ kind: "break" }, ...inlines];
  });
}

/** The words of a block, for telling which way it runs. */
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
    default:
      return "";
  }
}

/** Code of thousands of lines in boxes of their own: one box is laid out at once. */
function chunks<T>(lines: readonly T[]): (readonly T[])[] {
  return Array.from({ length: Math.ceil(lines.length / TALLEST_BLOCK) }, (_, at) =>
    lines.slice(at * TALLEST_BLOCK, (at + 1) * TALLEST_BLOCK),
  );
}

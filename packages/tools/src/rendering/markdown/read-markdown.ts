/**
 * Markdown as a document: GitHub's, with citations, footnotes and formulas (`extensions.ts`). HTML in it is read as
 * HTML; `<!-- pagebreak -->` begins a new page.
 *
 * Each nested quote costs the lexer a stack level, so markers beyond a reasonable depth are removed first.
 */
import { decodeHTMLStrict } from "entities/decode";
import { Marked } from "marked";
import { readHtmlBlocks } from "../html/read-html.ts";
import { Anchors } from "../model/anchors.ts";
import {
  type DocumentBlock,
  type Inline,
  type ListItem,
  MAX_NESTED,
  plainText,
  type RichDocument,
} from "../model/document.ts";
import { tidyInlines } from "../model/tidy-inlines.ts";
import { EXTENSIONS } from "./extensions.ts";
import { readInlines } from "./read-inlines.ts";
import type { BlockToken, InlineToken } from "./token.ts";

const MAX_QUOTE_DEPTH = 24;
const QUOTE_MARKERS = new RegExp(`^((?:[ \\t]{0,3}>){${MAX_QUOTE_DEPTH}})(?:[ \\t]{0,3}>)+`, "gm");

export function readMarkdown(content: string): RichDocument {
  return new MarkdownReader().read(content);
}

class MarkdownReader {
  readonly #marked = new Marked({ gfm: true, extensions: [...EXTENSIONS] });
  readonly #anchors = new Anchors();
  readonly #bodies = new Map<string, string>();
  readonly #numbers = new Map<string, number>();
  readonly #footnotes: (readonly DocumentBlock[])[] = [];

  read(content: string): RichDocument {
    const { title, body } = takeFrontMatter(content.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"));
    const tokens = this.#lex(body);
    this.#collectFootnotes(tokens);
    const blocks = this.#blocks(tokens, 1);
    return { title, blocks, footnotes: this.#footnotes };
  }

  #lex(text: string): BlockToken[] {
    // The lexer's own type allows tokens of any extension; `BlockToken` lists those that exist.
    return this.#marked.lexer(text.replace(QUOTE_MARKERS, "$1")) as BlockToken[];
  }

  #collectFootnotes(tokens: readonly BlockToken[]): void {
    for (const token of tokens)
      if (token.type === "footnoteDef" && !this.#bodies.has(token.id)) this.#bodies.set(token.id, token.body);
  }

  /** Reads a footnote when it is first referenced. Its number is reserved first, because it may refer to itself. */
  #footnote(id: string): number | null {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const body = this.#bodies.get(id);
    if (body === undefined) return null;
    const number = this.#footnotes.push([]);
    this.#numbers.set(id, number);
    this.#footnotes[number - 1] = this.#blocks(this.#lex(body), MAX_NESTED.blocks - 2);
    return number;
  }

  #inlines(tokens: readonly unknown[] | undefined): Inline[] {
    return tidyInlines(readInlines((tokens ?? []) as InlineToken[], { footnote: (id) => this.#footnote(id) }));
  }

  #blocks(tokens: readonly BlockToken[], depth: number): DocumentBlock[] {
    return tokens.flatMap((token) => this.#block(token, depth));
  }

  #block(token: BlockToken, depth: number): readonly DocumentBlock[] {
    switch (token.type) {
      case "heading": {
        const children = this.#inlines(token.tokens);
        if (children.length === 0) return [];
        const anchor = this.#anchors.claim(plainText(children));
        return [{ kind: "heading", level: token.depth, children, anchor }];
      }
      case "paragraph":
        return this.#paragraph(token.tokens);
      case "text":
        return this.#paragraph(token.tokens ?? [{ type: "text", raw: token.raw, text: token.text }]);
      case "list":
        return this.#list(token, depth);
      case "table": {
        const cells = (row: readonly { readonly tokens: readonly unknown[] }[]) =>
          token.header.map((_, at) => this.#inlines(row[at]?.tokens));
        return [{ kind: "table", align: token.align, header: cells(token.header), rows: token.rows.map(cells) }];
      }
      case "code": {
        const language = token.lang?.trim().split(/\s+/)[0]?.toLowerCase();
        return [
          { kind: "code", language: language === undefined || language === "" ? null : language, text: token.text },
        ];
      }
      case "blockquote": {
        const blocks = nameAlert(this.#blocks(token.tokens as BlockToken[], depth + 1));
        if (blocks.length === 0) return [];
        return depth >= MAX_NESTED.blocks ? blocks : [{ kind: "quote", blocks }];
      }
      case "hr":
        return [{ kind: "rule" }];
      case "html":
        if (/^\s*<!--\s*page-?break\s*-->\s*$/i.test(token.text)) return [{ kind: "page-break" }];
        return readHtmlBlocks(token.text, this.#anchors, depth);
      case "mathBlock":
        return [{ kind: "math", tex: token.tex }];
      case "space":
      case "def":
      case "checkbox":
      case "footnoteDef":
        return [];
    }
  }

  #list(token: Extract<BlockToken, { type: "list" }>, depth: number): readonly DocumentBlock[] {
    const items = token.items.map(
      (item): ListItem => ({
        done: item.task ? item.checked === true : null,
        blocks: this.#blocks(item.tokens as BlockToken[], depth + 1),
      }),
    );
    if (depth >= MAX_NESTED.blocks) return items.flatMap((item) => item.blocks);
    return [{ kind: "list", ordered: token.ordered, start: token.start === "" ? 1 : token.start, items }];
  }

  /** Reads a paragraph. A picture alone in a paragraph is a figure, with its title as the caption. */
  #paragraph(tokens: readonly unknown[]): readonly DocumentBlock[] {
    const [only, ...others] = (tokens as InlineToken[]).filter(({ type, raw }) => type !== "text" || raw.trim() !== "");
    if (only?.type === "image" && others.length === 0)
      return [
        {
          kind: "image",
          src: decodeHTMLStrict(only.href),
          alt: decodeHTMLStrict(only.text),
          caption: decodeHTMLStrict(only.title ?? ""),
          width: null,
        },
      ];
    const children = this.#inlines(tokens);
    return children.length === 0 ? [] : [{ kind: "paragraph", children }];
  }
}

const FRONT_MATTER = /^---\n((?:[A-Za-z][\w-]*:.*\n|[ \t#-].*\n|\n)+?)(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** Removes fields before the text, as many tools write them: they describe the document and are not part of it. */
function takeFrontMatter(content: string): { readonly title: string | null; readonly body: string } {
  const [matter, fields] = FRONT_MATTER.exec(content) ?? [];
  if (matter === undefined || fields === undefined || !/^[A-Za-z]/.test(fields)) return { title: null, body: content };
  const title =
    /^title:[ \t]*(.+)$/im
      .exec(fields)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, "$2") ?? "";
  return { title: title === "" ? null : title, body: content.slice(matter.length) };
}

const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/i;

/** GitHub's alerts: a quote that begins with `[!NOTE]` gets a bold title. */
function nameAlert(blocks: readonly DocumentBlock[]): readonly DocumentBlock[] {
  const [first, ...rest] = blocks;
  const [opening, ...others] = first?.kind === "paragraph" ? first.children : [];
  const [mark, name] = opening?.kind === "text" ? (ALERT.exec(opening.text) ?? []) : [];
  if (opening?.kind !== "text" || mark === undefined || name === undefined) return blocks;
  const label: Inline = {
    kind: "strong",
    children: [{ kind: "text", text: `${name.charAt(0)}${name.slice(1).toLowerCase()}.` }],
  };
  const text: Inline = { kind: "text", text: ` ${opening.text.slice(mark.length)}` };
  return [{ kind: "paragraph", children: [label, text, ...others] }, ...rest];
}

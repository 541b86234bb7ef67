/**
 * HTML as a document, for the formats that are not drawn by a browser.
 *
 * Structure is kept, styling is not: styles and scripts are ignored, except for page breaks in style attributes. Line
 * breaks and spaces in `<pre>` stay. The content of a table cell that spans several places is in the first place.
 */
import { type DomElement, type DomNode, isElement, isText, parsePage } from "../../html/dom.ts";
import { Anchors } from "../model/anchors.ts";
import { splitCitations } from "../model/citation-tokens.ts";
import {
  type DocumentBlock,
  type Inline,
  type ListItem,
  MAX_NESTED,
  plainText,
  type RichDocument,
} from "../model/document.ts";
import { collapseSpaces, tidyInlines } from "../model/tidy-inlines.ts";
import { CODE_TAGS, citationSids, markOfTag } from "./inline-tag.ts";
import { readTable } from "./read-table.ts";

export function readHtml(html: string): RichDocument {
  const page = parsePage(html);
  const title = collapseSpaces(page.querySelector("title")?.textContent ?? "").trim();
  const blocks = new HtmlReader(new Anchors()).blocks(page.body, 1);
  return { title: title === "" ? null : title, blocks, footnotes: [] };
}

/** Reads HTML inside a Markdown document as blocks. */
export function readHtmlBlocks(html: string, anchors: Anchors, depth: number): DocumentBlock[] {
  return new HtmlReader(anchors).blocks(parsePage(html).body, depth);
}

const PASSED_OVER: ReadonlySet<string> = new Set(
  "script style head template noscript iframe object embed audio video canvas title meta link button select textarea".split(
    " ",
  ),
);
const BLOCKS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote center details dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header " +
    "hgroup hr li main nav ol p pre section summary table ul body"
  ).split(" "),
);

class HtmlReader {
  readonly #anchors: Anchors;

  constructor(anchors: Anchors) {
    this.#anchors = anchors;
  }

  /** The content of an element; text between blocks becomes paragraphs. */
  blocks(parent: DomElement, depth: number): DocumentBlock[] {
    const blocks: DocumentBlock[] = [];
    let waiting: DomNode[] = [];
    const flush = () => {
      blocks.push(...this.#paragraph(waiting));
      waiting = [];
    };
    for (const node of parent.childNodes) {
      if (isElement(node) && PASSED_OVER.has(node.localName)) continue;
      if (isElement(node) && (BLOCKS.has(node.localName) || holdsBlock(node))) {
        flush();
        blocks.push(...this.#block(node, depth));
      } else if (isElement(node) || isText(node)) waiting.push(node);
    }
    flush();
    return blocks;
  }

  #block(element: DomElement, depth: number): DocumentBlock[] {
    const style = element.getAttribute("style") ?? "";
    const before: DocumentBlock[] = breaksPage(style, "before") ? [{ kind: "page-break" }] : [];
    const after: DocumentBlock[] = breaksPage(style, "after") ? [{ kind: "page-break" }] : [];
    return [...before, ...this.#content(element, depth), ...after];
  }

  #content(element: DomElement, depth: number): DocumentBlock[] {
    const name = element.localName;
    switch (name) {
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        return this.#heading(element, Number(name.slice(1)));
      case "p":
      case "summary":
        return holdsBlock(element) ? this.blocks(element, depth) : this.#paragraph([...element.childNodes]);
      case "dt": {
        const children = this.inlines(element);
        return children.length === 0 ? [] : [{ kind: "paragraph", children: [{ kind: "strong", children }] }];
      }
      case "pre":
        return [{ kind: "code", language: languageOf(element), text: element.textContent.replace(/^\n|\n$/g, "") }];
      case "hr":
        return [{ kind: "rule" }];
      case "table":
        return readTable(element, (cell) => this.#cell(cell));
      case "ul":
      case "ol":
        return this.#list(element, depth);
      case "blockquote": {
        const blocks = this.blocks(element, depth + 1);
        return blocks.length === 0 || depth >= MAX_NESTED.blocks ? blocks : [{ kind: "quote", blocks }];
      }
      case "figure":
        return this.#figure(element, depth);
      default:
        return this.blocks(element, depth);
    }
  }

  #heading(element: DomElement, level: number): DocumentBlock[] {
    const children = this.inlines(element);
    if (children.length === 0) return [];
    const anchor = this.#anchors.claim(element.getAttribute("id") ?? plainText(children));
    return [{ kind: "heading", level, children, anchor }];
  }

  #list(element: DomElement, depth: number): DocumentBlock[] {
    const items: ListItem[] = [];
    for (const child of element.children) {
      if (PASSED_OVER.has(child.localName)) continue;
      const box = child.querySelector("input[type=checkbox]");
      const blocks = this.blocks(child, depth + 1);
      items.push({ done: box === null ? null : box.hasAttribute("checked"), blocks });
    }
    if (depth >= MAX_NESTED.blocks) return items.flatMap((item) => item.blocks);
    const start = Number.parseInt(element.getAttribute("start") ?? "1", 10);
    const ordered = element.localName === "ol";
    return items.length === 0 ? [] : [{ kind: "list", ordered, start: Number.isSafeInteger(start) ? start : 1, items }];
  }

  #figure(element: DomElement, depth: number): DocumentBlock[] {
    const caption = element.querySelector("figcaption");
    const image = element.querySelector("img");
    if (image === null) return this.blocks(element, depth);
    const text = collapseSpaces(caption?.textContent ?? "").trim();
    return [{ kind: "image", ...imageOf(image), caption: text }];
  }

  #paragraph(nodes: readonly DomNode[]): DocumentBlock[] {
    const seen = nodes.filter((node) => isElement(node) || node.textContent.trim() !== "");
    const [only] = seen;
    if (seen.length === 1 && only !== undefined && isElement(only)) {
      if (only.localName === "img") return [{ kind: "image", ...imageOf(only), caption: "" }];
      if (only.localName === "svg") return [{ kind: "image", ...drawingOf(only), caption: "", width: null }];
    }
    const children = tidyInlines(nodes.flatMap((node) => this.#inline(node)));
    return children.length === 0 ? [] : [{ kind: "paragraph", children }];
  }

  /** Reads a cell, which contains only inline text: blocks in it become lines, list items with a bullet. */
  #cell(cell: DomElement): Inline[] {
    const inlines = [...cell.childNodes].flatMap((node): Inline[] => {
      if (!isElement(node) || !BLOCKS.has(node.localName)) return this.#inline(node);
      const items = /^[uo]l$/.test(node.localName) ? [...node.children] : [node];
      return items.flatMap((item): Inline[] => [
        { kind: "break" },
        ...(item === node ? [] : [{ kind: "text" as const, text: "• " }]),
        ...tidyInlines([...item.childNodes].flatMap((child) => this.#inline(child))),
        { kind: "break" },
      ]);
    });
    // One break between two blocks is enough.
    return tidyInlines(inlines.filter(({ kind }, at) => kind !== "break" || inlines[at - 1]?.kind !== "break"));
  }

  inlines(element: DomElement): Inline[] {
    return tidyInlines([...element.childNodes].flatMap((node) => this.#inline(node)));
  }

  #inline(node: DomNode): Inline[] {
    if (isText(node)) return splitCitations(collapseSpaces(node.textContent));
    if (!isElement(node) || PASSED_OVER.has(node.localName)) return [];
    const name = node.localName;
    if (name === "br") return [{ kind: "break" }];
    if (name === "img") return [{ kind: "image", ...imageOf(node) }];
    if (name === "svg") return [{ kind: "image", ...drawingOf(node) }];
    if (CODE_TAGS.has(name)) return [{ kind: "code", text: node.textContent }];
    const isCite = name === "sup" && (node.getAttribute("class") ?? "").split(/\s+/).includes("cite");
    const sids = isCite ? citationSids({ sids: node.getAttribute("data-sids") }) : null;
    if (sids !== null) return [{ kind: "citation", sids, token: `[[S:${sids.join(",")}]]` }];
    const children = [...node.childNodes].flatMap((child) => this.#inline(child));
    const href = name === "a" ? (node.getAttribute("href") ?? "") : "";
    if (href !== "") return [{ kind: "link", href, children }];
    if (name === "q") return [{ kind: "text", text: "“" }, ...children, { kind: "text", text: "”" }];
    const mark = markOfTag(name);
    // A block inside inline text begins and ends a line, so that its text stays separate.
    if (mark === null)
      return BLOCKS.has(name) ? [{ kind: "text", text: " " }, ...children, { kind: "text", text: " " }] : children;
    return [{ kind: mark, children }];
  }
}

function holdsBlock(element: DomElement): boolean {
  for (const child of element.children) if (BLOCKS.has(child.localName) || holdsBlock(child)) return true;
  return false;
}

function imageOf(element: DomElement): { src: string; alt: string; width: number | null } {
  const width = Number.parseInt(element.getAttribute("width") ?? "", 10);
  return {
    src: element.getAttribute("src") ?? "",
    alt: element.getAttribute("alt") ?? "",
    width: Number.isSafeInteger(width) && width > 0 && !/%/.test(element.getAttribute("width") ?? "") ? width : null,
  };
}

/** An inline SVG is treated like any other picture. */
function drawingOf(element: DomElement): { src: string; alt: string } {
  const svg = element.hasAttribute("xmlns")
    ? element.outerHTML
    : element.outerHTML.replace(/^<svg/i, '<svg xmlns="http://www.w3.org/2000/svg"');
  const alt = element.getAttribute("aria-label") ?? element.querySelector("title")?.textContent ?? "";
  return { src: `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`, alt };
}

export function languageOf(pre: DomElement): string | null {
  const classes = `${pre.getAttribute("class") ?? ""} ${pre.querySelector("code")?.getAttribute("class") ?? ""}`;
  return /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]+)/.exec(classes)?.[1]?.toLowerCase() ?? null;
}

function breaksPage(style: string, where: "before" | "after"): boolean {
  return new RegExp(`(?:page-)?break-${where}\\s*:\\s*(?:always|page|left|right)`, "i").test(style);
}

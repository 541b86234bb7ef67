/** All text of an HTML page: headings, paragraphs, lists, tables and code. Hidden parts are left out. */
import type { PartWriter } from "./part-writer.ts";
import { TableStack } from "./table-stack.ts";
import { type Attributes, attributeOf, walkHtml } from "./xml.ts";

export interface HtmlOptions {
  /** Whether the title of the page comes first. */
  readonly hasTitle: boolean;
}

export function writeHtml(html: string, writer: PartWriter, options: HtmlOptions): void {
  const reader = new HtmlReader(writer, options);
  walkHtml(html, {
    skips: (name, attributes) => SKIPPED.has(name) || isHidden(attributes),
    open: (name, attributes) => reader.open(name, attributes),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  });
  reader.end();
}

const SKIPPED: ReadonlySet<string> = new Set([
  ...["script", "style", "template", "noscript", "svg", "math", "iframe", "object", "canvas", "select", "datalist"],
]);
const BLOCKS: ReadonlySet<string> = new Set([
  ...["p", "div", "section", "article", "aside", "header", "footer", "main", "nav", "figure", "figcaption", "form"],
  ...["blockquote", "address", "dl", "dt", "dd", "ul", "ol", "li", "table", "caption", "tr", "td", "th", "hr", "pre"],
  ...["details", "summary", "fieldset", "legend", "body", "h1", "h2", "h3", "h4", "h5", "h6"],
]);
const CELLS: ReadonlySet<string> = new Set(["td", "th"]);
const LISTS: ReadonlySet<string> = new Set(["ul", "ol"]);

/** Whether an element is hidden by its own attributes. Style sheets are not read. */
function isHidden(attributes: Attributes): boolean {
  if (attributeOf(attributes, "hidden") !== undefined) return true;
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(attributeOf(attributes, "style") ?? "");
}

class HtmlReader {
  readonly #writer: PartWriter;
  readonly #options: HtmlOptions;
  readonly #tables = new TableStack();
  readonly #lists: { readonly isNumbered: boolean; count: number; isMarked: boolean }[] = [];
  #text = "";
  #heading = 0;
  #preformatted = 0;
  #isTitle = false;
  /** References to footnotes: a number in a superscript link within the page. */
  #superscript = 0;
  #inner = 0;

  constructor(writer: PartWriter, options: HtmlOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  open(name: string, attributes: Attributes): void {
    if (BLOCKS.has(name)) this.#flush();
    if (name === "title") this.#isTitle = true;
    else if (name === "br") this.#text += this.#preformatted > 0 || !this.#tables.isInCell ? "\n" : " ";
    else if (name === "img") this.#text += attributeOf(attributes, "alt") ?? "";
    else if (name === "pre") this.#preformatted++;
    else if (name === "sup") this.#superscript++;
    else if (name === "a") this.#inner += attributeOf(attributes, "href")?.startsWith("#") === true ? 1 : 0;
    else if (name === "table") this.#tables.openTable();
    else if (CELLS.has(name)) this.#tables.openCell(Number(attributeOf(attributes, "colspan") ?? 1));
    else if (LISTS.has(name)) this.#lists.push({ isNumbered: name === "ol", count: 0, isMarked: true });
    else if (/^h[1-6]$/.test(name)) this.#heading = Number(name[1]);
    else if (name === "li") {
      const list = this.#lists.at(-1);
      if (list === undefined) return;
      list.count++;
      list.isMarked = false;
    }
  }

  text(text: string): void {
    if (this.#isTitle && !this.#options.hasTitle) return;
    if (this.#superscript > 0 && this.#inner > 0 && /^\s*\d{1,4}\s*$/.test(text)) return;
    this.#text += this.#preformatted > 0 ? text : text.replace(/[ \t\r\n\f]+/g, " ");
  }

  close(name: string): void {
    if (name === "title") {
      if (this.#text.trim() !== "") this.#writer.paragraph(`Title: ${this.#take().trim()}`);
      this.#isTitle = false;
    }
    if (BLOCKS.has(name)) this.#flush();
    if (name === "pre") this.#preformatted = Math.max(0, this.#preformatted - 1);
    else if (name === "sup") this.#superscript = Math.max(0, this.#superscript - 1);
    else if (name === "a") this.#inner = 0;
    else if (/^h[1-6]$/.test(name)) this.#heading = 0;
    else if (LISTS.has(name)) this.#lists.pop();
    else if (CELLS.has(name)) this.#tables.closeCell();
    else if (name === "table") this.#tables.closeTable();
    else if (name === "tr") {
      const cells = this.#tables.closeRow();
      if (cells !== null) this.#writer.row(cells);
    }
  }

  end(): void {
    this.#flush();
  }

  #take(): string {
    const text = this.#preformatted > 0 ? this.#text : this.#text.replace(/ *\n */g, "\n").replace(/ {2,}/g, " ");
    this.#text = "";
    return text;
  }

  #flush(): void {
    const text = this.#take();
    if (text.trim() === "") return;
    const list = this.#lists.at(-1);
    if (this.#tables.isInCell) this.#tables.addToCell(text);
    else if (this.#heading > 0) this.#writer.heading(text, this.#heading);
    else if (list !== undefined) {
      this.#writer.item(text, this.#lists.length - 1, list.isMarked ? " " : list.isNumbered ? `${list.count}.` : "-");
      list.isMarked = true;
    } else this.#writer.paragraph(text);
  }
}

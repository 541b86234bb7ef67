/**
 * The text of an OpenDocument text: headings, paragraphs, lists, tables, and footnotes after the paragraph that refers
 * to them. Headers and footers come first, once each. Comments and text that tracked changes deleted are left out.
 */
import { CairnError } from "@cairn/timeline/error";
import { PageCounter } from "./page-counter.ts";
import type { PartWriter } from "./part-writer.ts";
import { TableStack } from "./table-stack.ts";
import { type Attributes, attributeOf, walkXml } from "./xml.ts";
import type { ZipArchive } from "./zip-archive.ts";

const SKIPPED: ReadonlySet<string> = new Set([
  ...["tracked-changes", "annotation", "note-citation", "sequence-decls", "ruby-text", "forms"],
]);
const MAX_SPACES = 100;
const MAX_REPEATED_CELLS = 50;

export function readOdt(archive: ZipArchive, writer: PartWriter): void {
  if (/<manifest:encryption-data/.test(archive.text("META-INF/manifest.xml") ?? ""))
    throw new CairnError("unreadable", "The document is encrypted and needs a password. Send a copy without one.");
  const content = archive.require("content.xml");
  const common = archive.text("styles.xml") ?? "";
  const reader = new OdtReader(readOdtStyles([common, content]));
  for (const [label, text] of readMargins(common)) reader.pages.write((to) => to.paragraph(`${label}: ${text}`));
  walkXml(content, reader);
  const stated = /\bmeta:page-count="(\d{1,6})"/.exec(archive.text("meta.xml") ?? "")?.[1];
  reader.pages.writeTo(writer, stated === undefined ? null : Number(stated));
}

interface OdtStyles {
  readonly breaksBefore: ReadonlySet<string>;
  readonly breaksAfter: ReadonlySet<string>;
  /** Lists whose outermost items are numbered. */
  readonly numbered: ReadonlySet<string>;
}

function readOdtStyles(files: readonly string[]): OdtStyles {
  const [breaksBefore, breaksAfter, numbered] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const xml of files) {
    let style = "";
    walkXml(xml, {
      open: (name, attributes) => {
        if (name === "style" || name === "list-style") style = attributeOf(attributes, "style:name") ?? "";
        if (name === "style" && attributeOf(attributes, "style:family") === "paragraph") {
          // A change of the page style begins a new page.
          if ((attributeOf(attributes, "style:master-page-name") ?? "") !== "") breaksBefore.add(style);
        } else if (name === "paragraph-properties" || name === "table-properties") {
          if (attributeOf(attributes, "fo:break-before") === "page") breaksBefore.add(style);
          if (attributeOf(attributes, "fo:break-after") === "page") breaksAfter.add(style);
        } else if (name === "list-level-style-number" && attributeOf(attributes, "text:level") === "1")
          if ((attributeOf(attributes, "style:num-format") ?? "") !== "") numbered.add(style);
      },
    });
  }
  return { breaksBefore, breaksAfter, numbered };
}

interface OpenParagraph {
  text: string;
  readonly heading: number | null;
  readonly style: string;
  notes: string[];
}

interface OpenList {
  readonly isNumbered: boolean;
  count: number;
  /** Only the first paragraph of a list item has the mark of the item. */
  isMarked: boolean;
}

class OdtReader {
  readonly pages = new PageCounter();
  readonly #styles: OdtStyles;
  readonly #tables = new TableStack();
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #lists: OpenList[] = [];
  #isBody = false;
  /** The text so far of a footnote; null outside of footnotes. */
  #note: string | null = null;
  #noteNumber = 0;
  #breaksInRow = false;
  #repeat = 1;

  constructor(styles: OdtStyles) {
    this.#styles = styles;
  }

  readonly skips = (name: string): boolean => SKIPPED.has(name);

  readonly open = (name: string, attributes: Attributes): void => {
    if (name === "body") this.#isBody = true;
    if (!this.#isBody) return;
    const paragraph = this.#paragraphs.at(-1);
    switch (name) {
      case "h":
      case "p":
        this.#openParagraph(name, attributes);
        return;
      case "list": {
        const style = attributeOf(attributes, "text:style-name");
        const isNumbered =
          style === undefined ? (this.#lists.at(-1)?.isNumbered ?? false) : this.#styles.numbered.has(style);
        this.#lists.push({ isNumbered, count: 0, isMarked: true });
        return;
      }
      case "list-item": {
        const list = this.#lists.at(-1);
        if (list === undefined) return;
        list.count++;
        list.isMarked = false;
        return;
      }
      case "table":
        if (this.#styles.breaksBefore.has(attributeOf(attributes, "table:style-name") ?? "")) this.#breakPage("author");
        this.#tables.openTable();
        return;
      case "table-cell":
      case "covered-table-cell":
        this.#repeat = Number(attributeOf(attributes, "table:number-columns-repeated") ?? 1);
        this.#tables.openCell();
        return;
      case "soft-page-break":
        this.#breakPage("layout");
        return;
      case "note":
        this.#note = "";
        return;
    }
    if (paragraph === undefined) return;
    if (name === "s")
      this.#addText(" ".repeat(Math.min(MAX_SPACES, Number(attributeOf(attributes, "text:c") ?? 1) || 1)));
    else if (name === "tab") this.#addText("\t");
    else if (name === "line-break") this.#addText("\n");
  };

  /** A run of spaces and line ends in the XML means one space. */
  readonly text = (text: string): void => {
    this.#addText(text.replace(/\s+/g, " "));
  };

  readonly close = (name: string): void => {
    if (name === "body") this.#isBody = false;
    else if (name === "h" || name === "p") this.#closeParagraph();
    else if (name === "list") this.#lists.pop();
    else if (name === "table-cell" || name === "covered-table-cell") {
      if (Number.isSafeInteger(this.#repeat)) this.#tables.spanCell(Math.min(MAX_REPEATED_CELLS, this.#repeat));
      this.#tables.closeCell();
    } else if (name === "table-row") this.#closeRow();
    else if (name === "table") this.#tables.closeTable();
    else if (name === "note") this.#closeNote();
  };

  #addText(text: string): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.text += text;
  }

  #openParagraph(name: "h" | "p", attributes: Attributes): void {
    const style = attributeOf(attributes, "text:style-name") ?? "";
    const heading = name === "h" ? Number(attributeOf(attributes, "text:outline-level") ?? 1) || 1 : null;
    if (this.#note === null && this.#styles.breaksBefore.has(style)) this.#breakPage("author");
    this.#paragraphs.push({ text: "", heading, style, notes: [] });
  }

  #closeParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined) return;
    if (this.#note !== null) this.#note += ` ${paragraph.text}`;
    else if (this.#tables.isInCell) this.#tables.addToCell(paragraph.text);
    else {
      this.#write(paragraph);
      if (this.#styles.breaksAfter.has(paragraph.style)) this.pages.breakPage();
    }
  }

  #write(paragraph: OpenParagraph): void {
    const { text, heading, notes } = paragraph;
    paragraph.text = "";
    paragraph.notes = [];
    const list = this.#lists.at(-1);
    const depth = this.#lists.length - 1;
    if (text.trim() !== "") {
      if (heading !== null) this.pages.write((writer) => writer.heading(text, heading));
      else if (list !== undefined) {
        const mark = list.isMarked ? " " : list.isNumbered ? `${list.count}.` : "-";
        list.isMarked = true;
        this.pages.write((writer) => writer.item(text, depth, mark));
      } else this.pages.write((writer) => writer.paragraph(text));
    }
    for (const note of notes) this.pages.write((writer) => writer.paragraph(note));
  }

  #closeNote(): void {
    const text = (this.#note ?? "").replace(/\s+/g, " ").trim();
    this.#note = null;
    if (text === "") return;
    const note = `Footnote ${++this.#noteNumber}: ${text}`;
    if (this.#tables.isInCell) this.#tables.addToCell(`(${note})`);
    else this.#paragraphs.at(-1)?.notes.push(note);
  }

  #closeRow(): void {
    const cells = this.#tables.closeRow();
    if (cells === null) return;
    if (this.#breaksInRow) this.pages.breakLayout();
    this.#breaksInRow = false;
    this.pages.write((writer) => writer.row(cells));
  }

  #breakPage(by: "author" | "layout"): void {
    if (this.#tables.isInCell) {
      this.#breaksInRow = true;
      return;
    }
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph !== undefined) this.#write(paragraph);
    if (by === "author") this.pages.breakPage();
    else this.pages.breakLayout();
  }
}

/** The texts of headers and footers, once each. */
function readMargins(xml: string): [label: string, text: string][] {
  const found = new Map<string, string>();
  let label = "";
  let text = "";
  walkXml(xml, {
    open: (name) => {
      if (!/^(?:header|footer)(?:-left|-first)?$/.test(name)) return;
      label = name.startsWith("header") ? "Header" : "Footer";
      text = "";
    },
    text: (piece) => {
      if (label !== "") text += piece;
    },
    close: (name) => {
      if (name === "p" || name === "tab") text += " ";
      if (!/^(?:header|footer)(?:-left|-first)?$/.test(name)) return;
      const line = text.replace(/\s+/g, " ").trim();
      // Lines without letters, such as page numbers, are left out.
      if (/\p{L}/u.test(line)) found.set(`${label} ${line}`, label);
      label = "";
    },
  });
  return [...found].map(([key, kind]) => [kind, key.slice(kind.length + 1)]);
}

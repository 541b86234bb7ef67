/**
 * The text of a Word document: headings, paragraphs, lists, tables, and footnotes after the paragraph that refers to
 * them. Headers and footers come first, once each. Deleted and moved text of tracked changes is left out.
 */
import { isOn, outlineLevel, type ParagraphStyle, readNumbering, readStyles, wordValue } from "./docx-styles.ts";
import { PageCounter } from "./page-counter.ts";
import type { PartWriter } from "./part-writer.ts";
import { TableStack } from "./table-stack.ts";
import { type Attributes, attributeOf, walkXml } from "./xml.ts";
import type { ZipArchive } from "./zip-archive.ts";

/** Elements that are skipped: their text is not part of the document, or a copy of it. */
const SKIPPED: ReadonlySet<string> = new Set(["Fallback", "del", "moveFrom", "instrText", "delText"]);

export function readDocx(archive: ZipArchive, writer: PartWriter): void {
  const main = archive.mainPart() ?? "word/document.xml";
  const relations = archive.relations(main);
  const partOf = (kind: string) => relations.find(({ type }) => type.endsWith(`/${kind}`))?.target ?? "";
  const reader = new DocxReader(
    readStyles(archive.text(partOf("styles"))),
    readNumbering(archive.text(partOf("numbering"))),
    new Map([
      ...readNotes(archive.text(partOf("footnotes")), "footnote"),
      ...readNotes(archive.text(partOf("endnotes")), "endnote"),
    ]),
  );
  for (const kind of ["header", "footer"] as const) {
    const texts = relations.filter(({ type }) => type.endsWith(`/${kind}`)).map(({ target }) => archive.text(target));
    reader.writeMargins(kind, new Set(texts.map(plainText)));
  }
  walkXml(archive.require(main), reader);
  reader.pages.writeTo(writer, statedPages(archive.text("docProps/app.xml")));
}

interface OpenParagraph {
  text: string;
  style: string;
  heading: number | null;
  list: string | null;
  level: number;
  breaksAfter: boolean;
  notes: string[];
}

class DocxReader {
  readonly pages = new PageCounter();
  readonly #styles: ReadonlyMap<string, ParagraphStyle>;
  readonly #isNumbered: (list: string, level: number) => boolean;
  readonly #notes: ReadonlyMap<string, string>;
  readonly #tables = new TableStack();
  readonly #paragraphs: OpenParagraph[] = [];
  readonly #counts = new Map<string, number>();
  #isInProperties = false;
  #isText = false;
  /** Number of page breaks inside a table row. They are written before the row. */
  #breaksInRow = 0;
  #notesInRow: string[] = [];
  #noteNumber = 0;

  constructor(
    styles: ReadonlyMap<string, ParagraphStyle>,
    isNumbered: (list: string, level: number) => boolean,
    notes: ReadonlyMap<string, string>,
  ) {
    this.#styles = styles;
    this.#isNumbered = isNumbered;
    this.#notes = notes;
  }

  writeMargins(kind: "header" | "footer", texts: Iterable<string>): void {
    const label = kind === "header" ? "Header" : "Footer";
    // Lines without letters, such as page numbers, are left out.
    for (const text of texts)
      if (/\p{L}/u.test(text)) this.pages.write((writer) => writer.paragraph(`${label}: ${text}`));
  }

  readonly skips = (name: string): boolean => SKIPPED.has(name);

  readonly open = (name: string, attributes: Attributes): void => {
    if (this.#tables.openElement(name)) return;
    const paragraph = this.#paragraphs.at(-1);
    if (name === "p")
      this.#paragraphs.push({
        text: "",
        style: "",
        heading: null,
        list: null,
        level: 0,
        breaksAfter: false,
        notes: [],
      });
    else if (name === "pPr") this.#isInProperties = true;
    else if (name === "t") this.#isText = true;
    else if (name === "gridSpan") this.#tables.spanCell(Number(wordValue(attributes)));
    else if (name === "lastRenderedPageBreak") this.#breakPage("layout");
    else if (name === "footnoteReference" || name === "endnoteReference")
      this.#addNote(`${name.slice(0, -"Reference".length)} ${attributeOf(attributes, "w:id")}`);
    else if (paragraph !== undefined) this.#openInParagraph(paragraph, name, attributes);
  };

  #openInParagraph(paragraph: OpenParagraph, name: string, attributes: Attributes): void {
    if (this.#isInProperties) this.#takeProperty(paragraph, name, attributes);
    else if (name === "tab") paragraph.text += "\t";
    else if (name === "noBreakHyphen") paragraph.text += "-";
    else if (name === "cr") paragraph.text += "\n";
    else if (name === "br") {
      if (attributeOf(attributes, "w:type") === "page") this.#breakPage("author");
      else paragraph.text += "\n";
    }
  }

  readonly text = (text: string): void => {
    const paragraph = this.#paragraphs.at(-1);
    if (this.#isText && paragraph !== undefined) paragraph.text += text;
  };

  readonly close = (name: string): void => {
    if (name === "t") this.#isText = false;
    else if (name === "pPr") {
      this.#isInProperties = false;
      this.#startParagraph();
    } else if (name === "p") this.#endParagraph();
    else if (name === "tc") this.#tables.closeCell();
    else if (name === "tr") this.#endRow();
    else if (name === "tbl") this.#tables.closeTable();
  };

  #takeProperty(paragraph: OpenParagraph, name: string, attributes: Attributes): void {
    if (name === "pStyle") paragraph.style = wordValue(attributes);
    else if (name === "outlineLvl") paragraph.heading = outlineLevel(wordValue(attributes));
    else if (name === "numId") paragraph.list = wordValue(attributes);
    else if (name === "ilvl") paragraph.level = Number(wordValue(attributes)) || 0;
    else if (name === "pageBreakBefore" && isOn(attributes)) this.#breakPage("author");
    else if (name === "sectPr") paragraph.breaksAfter = true;
    else if (name === "type" && wordValue(attributes) === "continuous") paragraph.breaksAfter = false;
  }

  #startParagraph(): void {
    const paragraph = this.#paragraphs.at(-1);
    const style = this.#styles.get(paragraph?.style ?? "");
    if (paragraph === undefined || style === undefined) return;
    paragraph.heading ??= style.heading;
    paragraph.list ??= style.list;
    if (style.breaksPage) this.#breakPage("author");
  }

  #breakPage(by: "author" | "layout"): void {
    const paragraph = this.#paragraphs.at(-1);
    if (this.#tables.isInCell) {
      this.#breaksInRow = 1;
      return;
    }
    if (paragraph !== undefined) this.#write(paragraph);
    if (by === "author") this.pages.breakPage();
    else this.pages.breakLayout();
  }

  #addNote(key: string): void {
    const text = this.#notes.get(key) ?? "";
    if (text === "") return;
    const note = `Footnote ${++this.#noteNumber}: ${text}`;
    if (this.#tables.isInCell) this.#notesInRow.push(note);
    else this.#paragraphs.at(-1)?.notes.push(note);
  }

  #endParagraph(): void {
    const paragraph = this.#paragraphs.pop();
    if (paragraph === undefined) return;
    if (this.#tables.isInCell) {
      this.#tables.addToCell(paragraph.text);
      return;
    }
    this.#write(paragraph);
    if (paragraph.breaksAfter) this.pages.breakPage();
  }

  /** Writes the part of the paragraph that was read so far. */
  #write(paragraph: OpenParagraph): void {
    const { text, heading, list, level, notes } = paragraph;
    paragraph.text = "";
    paragraph.notes = [];
    if (text.trim() !== "") {
      if (heading !== null) this.pages.write((writer) => writer.heading(text, heading));
      else if (list !== null && list !== "0") {
        const mark = this.#markOf(list, level);
        this.pages.write((writer) => writer.item(text, level, mark));
      } else this.pages.write((writer) => writer.paragraph(text));
    }
    for (const note of notes) this.pages.write((writer) => writer.paragraph(note));
  }

  #markOf(list: string, level: number): string {
    if (!this.#isNumbered(list, level)) return "-";
    for (const key of this.#counts.keys())
      if (key.startsWith(`${list} `) && Number(key.slice(list.length + 1)) > level) this.#counts.delete(key);
    const count = (this.#counts.get(`${list} ${level}`) ?? 0) + 1;
    this.#counts.set(`${list} ${level}`, count);
    return `${count}.`;
  }

  #endRow(): void {
    const cells = this.#tables.closeRow();
    if (cells === null) return;
    if (this.#breaksInRow > 0) this.pages.breakLayout();
    this.#breaksInRow = 0;
    this.pages.write((writer) => writer.row(cells));
    for (const note of this.#notesInRow.splice(0)) this.pages.write((writer) => writer.paragraph(note));
  }
}

/** The text of each note, by its kind and id. */
function readNotes(xml: string | null, kind: "footnote" | "endnote"): Map<string, string> {
  const notes = new Map<string, string>();
  let key = "";
  let isText = false;
  walkXml(xml ?? "", {
    open: (name, attributes) => {
      isText = name === "t";
      // Entries with a type are the separator lines above notes, and not notes.
      if (name === kind)
        key = attributeOf(attributes, "w:type") === undefined ? `${kind} ${attributeOf(attributes, "w:id")}` : "";
    },
    text: (text) => {
      if (isText && key !== "") notes.set(key, `${notes.get(key) ?? ""}${text}`);
    },
    close: (name) => {
      isText = false;
      if (name === "p" && key !== "" && notes.has(key)) notes.set(key, `${notes.get(key)} `);
    },
  });
  return new Map([...notes].map(([id, text]) => [id, text.trim()]));
}

/** The text of a header or footer on one line. */
function plainText(xml: string | null): string {
  const texts: string[] = [];
  let isText = false;
  walkXml(xml ?? "", {
    open: (name) => {
      isText = name === "t";
    },
    text: (text) => {
      if (isText) texts.push(text);
    },
    close: (name) => {
      isText = false;
      if (name === "p" || name === "tab") texts.push(" ");
    },
  });
  return texts.join("").replace(/\s+/g, " ").trim();
}

function statedPages(xml: string | null): number | null {
  const pages = /<Pages>(\d{1,6})<\/Pages>/.exec(xml ?? "")?.[1];
  return pages === undefined ? null : Number(pages);
}

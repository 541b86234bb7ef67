/**
 * The text of slides, in the order of the presentation: titles, text, tables, diagrams and the speaker's notes. Hidden
 * slides are read and marked. Slide numbers, dates and footers that the layout repeats are left out.
 */
import type { PartWriter } from "./part-writer.ts";
import { TableStack } from "./table-stack.ts";
import { type Attributes, attributeOf, walkXml } from "./xml.ts";
import type { ZipArchive } from "./zip-archive.ts";

const MAX_SLIDES = 5_000;
const SKIPPED: ReadonlySet<string> = new Set(["Fallback"]);
const REPEATED = /^(?:sldNum|dt|ftr|hdr|sldImg)$/;
const TITLE = /^(?:title|ctrTitle)$/;
const MAX_LEVEL = 8;

export function readPptx(archive: ZipArchive, writer: PartWriter): void {
  const main = archive.mainPart() ?? "ppt/presentation.xml";
  const slides = new Map(archive.relations(main).map(({ id, target }) => [id, target]));
  const order: string[] = [];
  walkXml(archive.require(main), {
    open: (name, attributes) => {
      if (name === "sldId" && order.length < MAX_SLIDES) order.push(attributeOf(attributes, "r:id") ?? "");
    },
  });
  for (const [at, id] of order.entries()) {
    const slide = slides.get(id) ?? "";
    const reader = new SlideReader();
    walkXml(archive.require(slide), reader);
    writer.part({ slide: at + 1 });
    if (reader.isHidden) writer.remark("(hidden slide)");
    for (const write of reader.writes) write(writer);
    for (const { type, target } of archive.relations(slide)) {
      if (type.endsWith("/diagramData")) for (const write of textOf(archive, target)) write(writer);
      else if (type.endsWith("/notesSlide")) writeNotes(archive, target, writer);
    }
  }
}

function textOf(archive: ZipArchive, part: string): SlideReader["writes"] {
  const reader = new SlideReader();
  walkXml(archive.text(part) ?? "", reader);
  return reader.writes;
}

function writeNotes(archive: ZipArchive, part: string, writer: PartWriter): void {
  const reader = new SlideReader();
  walkXml(archive.text(part) ?? "", reader);
  if (reader.texts.length > 0) writer.paragraph(`Notes: ${reader.texts.join("\n")}`);
}

class SlideReader {
  readonly writes: ((writer: PartWriter) => void)[] = [];
  /** The paragraphs outside of tables, in document order. */
  readonly texts: string[] = [];
  isHidden = false;
  readonly #tables = new TableStack();
  /** The placeholder of the current shape in the layout, if it has one. */
  #place = "";
  #isText = false;
  #paragraph: { text: string; isItem: boolean; level: number } | null = null;

  readonly skips = (name: string): boolean => SKIPPED.has(name);

  readonly open = (name: string, attributes: Attributes): void => {
    if (this.#tables.openElement(name)) return;
    switch (name) {
      case "sld":
        this.isHidden = /^(?:0|false)$/.test(attributeOf(attributes, "show") ?? "");
        return;
      case "sp":
        this.#place = "";
        return;
      case "ph":
        this.#place = attributeOf(attributes, "type") ?? "body";
        return;
      case "p":
        // In a text placeholder, the layout puts a list mark before each paragraph.
        this.#paragraph = { text: "", isItem: /^(?:body|obj)$/.test(this.#place), level: 0 };
        return;
      case "t":
        this.#isText = true;
        return;
    }
    if (this.#paragraph === null) return;
    if (name === "br") this.#paragraph.text += "\n";
    else if (name === "tab") this.#paragraph.text += "\t";
    else if (name === "pPr") this.#paragraph.level = Math.min(MAX_LEVEL, Number(attributeOf(attributes, "lvl")) || 0);
    else if (name === "buNone") this.#paragraph.isItem = false;
    else if (name === "buChar" || name === "buAutoNum") this.#paragraph.isItem = true;
  };

  readonly text = (text: string): void => {
    if (this.#isText && this.#paragraph !== null) this.#paragraph.text += text;
  };

  readonly close = (name: string): void => {
    if (name === "t") this.#isText = false;
    else if (name === "p") this.#endParagraph();
    else if (name === "tc") this.#tables.closeCell();
    else if (name === "tbl") this.#tables.closeTable();
    else if (name === "tr") {
      const cells = this.#tables.closeRow();
      if (cells !== null) this.writes.push((writer) => writer.row(cells));
    }
  };

  #endParagraph(): void {
    const paragraph = this.#paragraph;
    this.#paragraph = null;
    if (paragraph === null || paragraph.text.trim() === "" || REPEATED.test(this.#place)) return;
    const { text, isItem, level } = paragraph;
    if (this.#tables.isInCell) {
      this.#tables.addToCell(text);
      return;
    }
    this.texts.push(text);
    if (TITLE.test(this.#place)) this.writes.push((writer) => writer.heading(text, 1));
    else if (isItem) this.writes.push((writer) => writer.item(text, level));
    else this.writes.push((writer) => writer.paragraph(text));
  }
}

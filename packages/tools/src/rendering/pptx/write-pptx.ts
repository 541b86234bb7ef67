/** A document as PPTX: a cover, slides for every first-level heading, and notes and sources at the end. */
import JSZip from "jszip";
import type { Assets } from "../image/assets.ts";
import { type DocumentBlock, type Inline, plainText, type RichDocument } from "../model/document.ts";
import { labelsOf } from "../model/labels.ts";
import { drawable } from "../model/readable-text.ts";
import { officePictures } from "../office/office-pictures.ts";
import type { DocumentOptions } from "../renderer/document-renderer.ts";
import { type Theme, themeOf } from "../renderer/theme.ts";
import type { Drawn } from "../typst/draw-typst.ts";
import type { TypstCompiler } from "../typst/typst-compiler.ts";
import { CONTENT_MASTER, COVER, COVER_MASTER, COVER_TITLE, Deck, TITLE_PLACE, UNTITLED_MASTER } from "./deck.ts";
import { nameParts } from "./name-parts.ts";
import { ParagraphProperties } from "./paragraph-properties.ts";
import { newPresentation, type Presentation } from "./pptx-library.ts";
import { FOOTER_Y, SIZE, SLIDE, TITLE } from "./slide-layout.ts";
import { type PieceContext, piecesOf } from "./slide-pieces.ts";

/** Maximum lines on a cover below its title, and maximum characters per line. */
const MAX_LEAD = 4;
const LEAD_LINE = 110;

interface Section {
  readonly title: readonly Inline[];
  /** Whether the slide has its own heading. */
  readonly isNamed: boolean;
  readonly blocks: DocumentBlock[];
}

export async function writePptx(
  document: RichDocument,
  assets: Assets,
  options: DocumentOptions,
  openCompiler: () => Promise<TypstCompiler>,
): Promise<Drawn> {
  const theme = themeOf(options.theme);
  const pictures = await officePictures(document, assets, openCompiler, false);
  const labels = labelsOf(options.language);
  const properties = new ParagraphProperties();
  const context: PieceContext = { theme, assets, pictures, labels, properties };
  const pptx = newPresentation();
  pptx.layout = "LAYOUT_WIDE";
  pptx.theme = { headFontFace: theme.officeHeading, bodyFontFace: theme.officeBody };
  pptx.title = drawable(document.title ?? "");
  pptx.author = drawable(options.author ?? "Cairn");
  pptx.company = "";
  defineMaster(pptx, theme, document.title ?? "", options.pageNumbers);
  const deck = new Deck(pptx, context);
  const byline = [options.author, options.date].filter((part) => part !== null).join("  ·  ");
  const { lead, sections } = withLead(sectionsOf(document), document.title);
  if (document.title !== null) deck.cover(document.title, byline, lead);
  if (options.toc) deck.section([asText(labels.contents)], piecesOf([contentsOf(sections)], context));
  for (const section of sections) deck.section(section.title, piecesOf(section.blocks, context));
  if (document.footnotes.length > 0) deck.section([asText(labels.notes)], piecesOf([notesOf(document)], context));
  if (assets.references.size > 0) deck.section([asText(labels.sources)], piecesOf([sourcesOf(assets)], context));
  const written = await pptx.stream();
  if (!(written instanceof Uint8Array)) throw new TypeError("pptxgenjs returned no bytes");
  const zip = await JSZip.loadAsync(written);
  await properties.putInto(zip);
  await nameParts(zip);
  const bytes = await zip.generateAsync({ type: "uint8array", compression: "DEFLATE" });
  return { bytes, pages: deck.slides, badImages: pictures.badImages, remarks: [] };
}

/** Text before the first heading is a separate section, under the document's title. */
function sectionsOf({ title, blocks }: RichDocument): Section[] {
  const sections: Section[] = [];
  for (const block of blocks) {
    if (block.kind === "heading" && block.level === 1)
      sections.push({ title: block.children, isNamed: true, blocks: [] });
    else {
      if (sections.length === 0)
        sections.push({ title: title === null ? [] : [asText(title)], isNamed: false, blocks: [] });
      sections.at(-1)?.blocks.push(block);
    }
  }
  return sections;
}

/** A short text before the first section belongs to the title slide; a longer one gets its own slide. */
function withLead(
  sections: readonly Section[],
  title: string | null,
): { readonly lead: readonly (readonly Inline[])[]; readonly sections: readonly Section[] } {
  const [first, ...rest] = sections;
  const lines = title === null || first === undefined || first.isNamed ? null : linesOf(first.blocks);
  const isLittle =
    lines !== null && lines.length <= MAX_LEAD && lines.every((line) => plainText(line).length <= LEAD_LINE);
  return lines !== null && isLittle && rest.length > 0 ? { lead: lines, sections: rest } : { lead: [], sections };
}

/** Paragraphs and items of a flat list, one line each; null for anything else. */
function linesOf(blocks: readonly DocumentBlock[]): (readonly Inline[])[] | null {
  const lines: (readonly Inline[])[] = [];
  for (const block of blocks) {
    const parts = block.kind === "list" ? block.items.flatMap((item) => item.blocks) : [block];
    const hasBoxes = block.kind === "list" && block.items.some(({ done }) => done !== null);
    for (const part of parts) {
      if (part.kind !== "paragraph" || hasBoxes || holdsPicture(part.children)) return null;
      lines.push(part.children);
    }
  }
  return lines;
}

function holdsPicture(inlines: readonly Inline[]): boolean {
  return inlines.some((inline) => inline.kind === "image" || ("children" in inline && holdsPicture(inline.children)));
}

function defineMaster(pptx: Presentation, theme: Theme, title: string, pageNumbers: boolean): void {
  const small = { fontSize: 10, color: theme.muted, fontFace: theme.officeBody, margin: 0 };
  const name = { x: TITLE.x, y: FOOTER_Y, w: 10.5, h: 0.26, ...small };
  const place = (box: typeof TITLE | typeof COVER, size: number) => ({
    placeholder: {
      options: {
        name: TITLE_PLACE,
        type: "title" as const,
        ...box,
        margin: 0,
        align: "left" as const,
        valign: "bottom" as const,
        fontFace: theme.officeHeading,
        fontSize: size,
        bold: true,
        color: theme.heading,
      },
      text: "",
    },
  });
  pptx.defineSlideMaster({
    title: COVER_MASTER,
    background: { color: "FFFFFF" },
    objects: [place(COVER, COVER_TITLE)],
  });
  const footer = title === "" ? [] : [{ text: { text: drawable(title).slice(0, 120), options: name } }];
  for (const [master, objects] of [
    [CONTENT_MASTER, [place(TITLE, SIZE.title), ...footer]],
    [UNTITLED_MASTER, footer],
  ] as const)
    pptx.defineSlideMaster({
      title: master,
      background: { color: "FFFFFF" },
      objects: [...objects],
      ...(pageNumbers
        ? { slideNumber: { x: SLIDE.w - 1.2, y: FOOTER_Y, w: 0.6, h: 0.26, align: "right", ...small } }
        : {}),
    });
}

const asText = (text: string): Inline => ({ kind: "text", text });

function listOf(items: readonly (readonly Inline[])[], ordered: boolean): DocumentBlock {
  const paragraphs = items.map((children) => ({ done: null, blocks: [{ kind: "paragraph" as const, children }] }));
  return { kind: "list", ordered, start: 1, items: paragraphs };
}

function contentsOf(sections: readonly Section[]): DocumentBlock {
  return listOf(
    sections.filter(({ isNamed }) => isNamed).map(({ title }) => [asText(plainText(title))]),
    true,
  );
}

function notesOf({ footnotes }: RichDocument): DocumentBlock {
  return { kind: "list", ordered: true, start: 1, items: footnotes.map((blocks) => ({ done: null, blocks })) };
}

function sourcesOf({ references }: Assets): DocumentBlock {
  const sorted = [...references.values()].sort((a, b) => a.number - b.number);
  return listOf(
    sorted.map(({ title, url, detail }) => {
      const name: Inline = url === null ? asText(title) : { kind: "link", href: url, children: [asText(title)] };
      const rest = [detail, url].filter((part) => part !== null && part !== "").join("  ·  ");
      return [name, asText(rest === "" ? "" : `  ·  ${rest}`)];
    }),
    true,
  );
}

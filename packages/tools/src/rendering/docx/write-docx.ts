/** A document as DOCX. Formulas and drawings become pictures; footnotes, links and headings are native. */
import {
  AlignmentType,
  Bookmark,
  convertInchesToTwip,
  Document,
  ExternalHyperlink,
  type FileChild,
  Footer,
  HeadingLevel,
  type ISectionPropertiesOptions,
  LeaderType,
  Packer,
  PageNumber,
  type PageNumberEstimator,
  PageOrientation,
  Paragraph,
  TableOfContents,
  TabStopType,
  TextRun,
} from "docx";
import type { Assets } from "../image/assets.ts";
import { isRightToLeft } from "../model/direction.ts";
import type { RichDocument } from "../model/document.ts";
import { type Labels, labelsOf } from "../model/labels.ts";
import { drawable } from "../model/readable-text.ts";
import { allBlocks, allInlines } from "../model/walk.ts";
import { officePictures } from "../office/office-pictures.ts";
import type { DocumentOptions } from "../renderer/document-renderer.ts";
import { pagePoints } from "../renderer/page-size.ts";
import { type Theme, themeOf } from "../renderer/theme.ts";
import type { Drawn } from "../typst/draw-typst.ts";
import type { TypstCompiler } from "../typst/typst-compiler.ts";
import { DocxBlocks } from "./docx-blocks.ts";
import type { DocxContext } from "./docx-inlines.ts";
import { DocxNumbering } from "./docx-numbering.ts";
import { docxStyles } from "./docx-styles.ts";

const TWIPS_A_POINT = 20;
const TWIPS_A_PIXEL = 15;
const MARGIN = convertInchesToTwip(0.95);
const MAX_FOOTER_LENGTH = 90;

/** Maximum characters for which pages are counted: a hundred pages take a few seconds. */
const MAX_COUNTED = 250_000;
/** An estimate without page numbers. Without any estimate, Word would ask its user to update the fields. */
const UNCOUNTED: PageNumberEstimator = () => ({ bookmarks: new Map() });
const NO_PAGES =
  "The table of contents has no page numbers yet: they come when it is updated in Word (click it, then F9).";

export async function writeDocx(
  document: RichDocument,
  assets: Assets,
  options: DocumentOptions,
  openCompiler: () => Promise<TypstCompiler>,
): Promise<Drawn> {
  const pictures = await officePictures(document, assets, openCompiler, true);
  const hasContents = options.toc && document.blocks.some(({ kind }) => kind === "heading");
  const pack = (count: PageNumberEstimator) => packDocx(document, { assets, pictures }, options, hasContents, count);
  const counted = hasContents && lengthOf(document) <= MAX_COUNTED ? await packCounted(pack) : null;
  const bytes = counted ?? (await pack(UNCOUNTED));
  const remarks = hasContents && counted === null ? [NO_PAGES] : [];
  return { bytes, pages: 1, badImages: pictures.badImages, remarks };
}

/**
 * Adds the page numbers of headings, from a layout similar to Word's. The result is an approximation: a number may be
 * off by one until the reader updates the table. The result is null if the document cannot be laid out; the document
 * then has contents without numbers. The layout code is loaded only for documents with contents, because it is large.
 */
async function packCounted(pack: (count: PageNumberEstimator) => Promise<Uint8Array>): Promise<Uint8Array | null> {
  const { estimatePageNumbersWith } = await import("docx/layout");
  try {
    return await pack(estimatePageNumbersWith({ guess: true }));
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

function lengthOf(document: RichDocument): number {
  let length = 0;
  for (const inline of allInlines(document)) if ("text" in inline) length += inline.text.length;
  for (const block of allBlocks(document)) if (block.kind === "code") length += block.text.length;
  return length;
}

async function packDocx(
  document: RichDocument,
  { assets, pictures }: Pick<DocxContext, "assets" | "pictures">,
  options: DocumentOptions,
  hasContents: boolean,
  count: PageNumberEstimator,
): Promise<Uint8Array> {
  const theme = themeOf(options.theme);
  const labels = labelsOf(options.language);
  const anchors = new Set(
    [...allBlocks(document)].flatMap((block) => (block.kind === "heading" ? [block.anchor] : [])),
  );
  const { width, height } = pagePoints(options);
  const across = (points: number) => Math.round(points * TWIPS_A_POINT) - 2 * MARGIN;
  const context: DocxContext = {
    theme,
    labels,
    assets,
    pictures,
    anchors,
    usedNotes: new Set(),
    pixels: across(width) / TWIPS_A_PIXEL,
  };
  const numbering = new DocxNumbering(theme.accent);
  const writer = new DocxBlocks(context, numbering, across(width), height > width ? across(height) : null);
  const parts = writer.write(document.blocks);
  if (parts.at(-1)?.isTurned === true && assets.references.size > 0) parts.push({ isTurned: false, children: [] });
  const footnotes = Object.fromEntries(
    document.footnotes.map((blocks, at) => [at + 1, { children: writer.writeNote(blocks) }]),
  );
  const last = parts.length - 1;
  const file = new Document({
    ...(document.title === null ? {} : { title: drawable(document.title) }),
    creator: drawable(options.author ?? "Cairn"),
    styles: docxStyles(theme, options),
    numbering: numbering.options(),
    footnotes,
    ...(hasContents ? { pageNumbers: count } : {}),
    sections: parts.map(({ isTurned, children }, at) => ({
      properties: pageProperties(options, isTurned),
      ...(options.pageNumbers
        ? { footers: { default: pageFooter(theme, document.title, across(isTurned ? height : width)) } }
        : {}),
      children: [
        ...(at === 0 ? opening(document, options, theme) : []),
        ...(at === 0 && hasContents ? contents(theme, labels, count !== UNCOUNTED) : []),
        ...children,
        ...(at === last ? sources(assets, theme, labels) : []),
      ],
    })),
  });
  return new Uint8Array(await Packer.toBuffer(file));
}

function pageProperties(options: DocumentOptions, isTurned: boolean): ISectionPropertiesOptions {
  const page = pagePoints({ pageSize: options.pageSize, landscape: false });
  return {
    page: {
      size: {
        width: Math.round(page.width * TWIPS_A_POINT),
        height: Math.round(page.height * TWIPS_A_POINT),
        orientation: options.landscape || isTurned ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT,
      },
      margin: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
    },
  };
}

function opening({ title }: RichDocument, options: DocumentOptions, theme: Theme): FileChild[] {
  const byline = [options.author, options.date]
    .filter((part) => part !== null)
    .map(drawable)
    .join("  ·  ");
  // The line under the title belongs to the last element before the text.
  const under = { bottom: { style: "single" as const, size: 12, color: theme.accent, space: 10 } };
  return title === null
    ? []
    : [
        new Paragraph({
          heading: HeadingLevel.TITLE,
          children: [new TextRun(drawable(title))],
          ...(isRightToLeft(title) ? { bidirectional: true } : {}),
          ...(byline === "" ? { border: under, spacing: { after: 320 } } : {}),
        }),
        ...(byline === "" ? [] : [new Paragraph({ style: "Byline", border: under, children: [new TextRun(byline)] })]),
      ];
}

function contents(theme: Theme, labels: Labels, hasPages: boolean): FileChild[] {
  return [
    new Paragraph({
      children: [new TextRun({ text: labels.contents, bold: true, size: 26, color: theme.heading })],
      ...(isRightToLeft(labels.contents) ? { bidirectional: true } : {}),
    }),
    new TableOfContents(labels.contents, {
      hyperlink: true,
      headingStyleRange: "1-3",
      tabLeader: hasPages ? LeaderType.DOT : LeaderType.NONE,
    }),
    new Paragraph({ children: [], pageBreakBefore: true, spacing: { after: 0, line: 20, lineRule: "exact" } }),
  ];
}

function sources({ references }: Assets, theme: Theme, labels: Labels): FileChild[] {
  const sorted = [...references.values()].sort((a, b) => a.number - b.number);
  if (sorted.length === 0) return [];
  const rows = sorted.map(({ number, title, url, detail }) => {
    const name = new TextRun({ text: drawable(title), ...(url === null ? {} : { style: "Hyperlink" }) });
    const rest = [detail, url].filter((part) => part !== null && part !== "").join("  ·  ");
    return new Paragraph({
      style: "Source",
      children: [
        new Bookmark({
          id: `source_${number}`,
          children: [new TextRun({ text: `${number}.\t`, bold: true, color: theme.accent })],
        }),
        url === null ? name : new ExternalHyperlink({ link: url, children: [name] }),
        new TextRun({ text: rest === "" ? "" : `  ·  ${drawable(rest)}`, color: theme.muted, size: 18 }),
      ],
      tabStops: [{ type: "left", position: 480 }],
    });
  });
  const heading = new Paragraph({
    heading: HeadingLevel.HEADING_1,
    children: [new TextRun(labels.sources)],
    ...(isRightToLeft(labels.sources) ? { bidirectional: true } : {}),
  });
  return [heading, ...rows];
}

/** The title on the left and the page on the right; `width` is twips between the margins. */
function pageFooter(theme: Theme, title: string | null, width: number): Footer {
  const grey = { size: 17, color: theme.muted };
  const shown = drawable(title ?? "");
  const short = shown.length > MAX_FOOTER_LENGTH ? `${shown.slice(0, MAX_FOOTER_LENGTH - 1).trimEnd()}…` : shown;
  return new Footer({
    children: [
      new Paragraph({
        alignment: AlignmentType.LEFT,
        tabStops: [{ type: TabStopType.RIGHT, position: width }],
        children: [
          new TextRun({ ...grey, text: short }),
          new TextRun({ ...grey, children: ["\t", PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES] }),
        ],
      }),
    ],
  });
}

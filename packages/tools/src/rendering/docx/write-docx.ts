/** A document as DOCX. Formulas and drawings are pictures in it; footnotes, links and headings are Word's own. */
import {
  AlignmentType,
  Bookmark,
  convertInchesToTwip,
  Document,
  ExternalHyperlink,
  type FileChild,
  Footer,
  HeadingLevel,
  LeaderType,
  Packer,
  PageNumber,
  PageOrientation,
  Paragraph,
  TableOfContents,
  TextRun,
} from "docx";
import type { Assets } from "../assets.ts";
import type { DocumentOptions } from "../document-renderer.ts";
import { officePictures } from "../image/office-pictures.ts";
import { isRightToLeft } from "../model/direction.ts";
import type { RichDocument } from "../model/document.ts";
import { drawable } from "../model/readable-text.ts";
import { allBlocks } from "../model/walk.ts";
import { pagePoints } from "../page-size.ts";
import { type Theme, themeOf } from "../theme.ts";
import type { Drawn } from "../typst/draw-typst.ts";
import type { TypstCompiler } from "../typst/typst-compiler.ts";
import { DocxBlocks } from "./docx-blocks.ts";
import type { DocxContext } from "./docx-inlines.ts";
import { DocxNumbering } from "./docx-numbering.ts";
import { docxStyles } from "./docx-styles.ts";

const TWIPS_A_POINT = 20;
const MARGIN = convertInchesToTwip(0.95);

export async function writeDocx(
  document: RichDocument,
  assets: Assets,
  options: DocumentOptions,
  openCompiler: () => Promise<TypstCompiler>,
): Promise<Drawn> {
  const theme = themeOf(options.theme);
  const pictures = await officePictures(document, assets, openCompiler);
  const anchors = new Set(
    [...allBlocks(document)].flatMap((block) => (block.kind === "heading" ? [block.anchor] : [])),
  );
  const context: DocxContext = { theme, assets, pictures, anchors, usedNotes: new Set() };
  const numbering = new DocxNumbering(theme.accent);
  const page = pagePoints({ pageSize: options.pageSize, landscape: false });
  const long = options.landscape ? page.height : page.width;
  const writer = new DocxBlocks(context, numbering, Math.round(long * TWIPS_A_POINT) - 2 * MARGIN);
  const body = writer.write(document.blocks);
  const footnotes = Object.fromEntries(
    document.footnotes.map((blocks, at) => [
      at + 1,
      { children: writer.write(blocks).filter((each) => each instanceof Paragraph) },
    ]),
  );
  const file = new Document({
    ...(document.title === null ? {} : { title: drawable(document.title) }),
    creator: drawable(options.author ?? "Cairn"),
    styles: docxStyles(theme, options),
    numbering: numbering.options(),
    footnotes,
    sections: [
      {
        properties: {
          page: {
            size: {
              width: Math.round(page.width * TWIPS_A_POINT),
              height: Math.round(page.height * TWIPS_A_POINT),
              orientation: options.landscape ? PageOrientation.LANDSCAPE : PageOrientation.PORTRAIT,
            },
            margin: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN },
          },
        },
        ...(options.pageNumbers ? { footers: { default: pageFooter(theme) } } : {}),
        children: [...opening(document, options, theme), ...body, ...sources(assets, theme)],
      },
    ],
  });
  return { bytes: new Uint8Array(await Packer.toBuffer(file)), pages: 1, badImages: pictures.badImages, remarks: [] };
}

function opening(document: RichDocument, options: DocumentOptions, theme: Theme): FileChild[] {
  const { title } = document;
  const byline = [options.author, options.date]
    .filter((part) => part !== null)
    .map(drawable)
    .join("  ·  ");
  const lines =
    title === null
      ? []
      : [
          new Paragraph({
            heading: HeadingLevel.TITLE,
            children: [new TextRun(drawable(title))],
            ...(isRightToLeft(title) ? { bidirectional: true } : {}),
          }),
          new Paragraph({ style: "Byline", children: [new TextRun(byline)] }),
        ];
  if (!options.toc || !document.blocks.some(({ kind }) => kind === "heading")) return lines;
  return [
    ...lines,
    new Paragraph({ children: [new TextRun({ text: "Contents", bold: true, size: 26, color: theme.heading })] }),
    // Which page a heading is on, Word alone knows: the table has links, and page numbers once Word updates it.
    new TableOfContents("Contents", {
      hyperlink: true,
      headingStyleRange: "1-3",
      beginDirty: false,
      tabLeader: LeaderType.NONE,
    }),
    new Paragraph({ children: [], pageBreakBefore: true, spacing: { after: 0, line: 20, lineRule: "exact" } }),
  ];
}

function sources({ references }: Assets, theme: Theme): FileChild[] {
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
  return [new Paragraph({ heading: HeadingLevel.HEADING_1, children: [new TextRun("Sources")] }), ...rows];
}

function pageFooter(theme: Theme): Footer {
  const grey = { size: 17, color: theme.muted };
  return new Footer({
    children: [
      new Paragraph({
        alignment: AlignmentType.END,
        children: [new TextRun({ ...grey, children: [PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES] })],
      }),
    ],
  });
}

/**
 * A document as PDF, or as one continuous PNG.
 *
 * A picture or formula that breaks the layout is found by trying each alone; the document is then made without it. A
 * PNG is one page as high as its content. A long PNG has fewer pixels per point, and a PNG that would be unreadable is
 * cut.
 */
import { CairnError } from "@cairn/timeline/error";
import type { NodeTypstDocument } from "@myriaddreamin/typst-ts-node-compiler";
import type { Assets } from "../image/assets.ts";
import { isDrawable } from "../image/prepare-image.ts";
import type { RichDocument } from "../model/document.ts";
import { unsetScripts } from "../model/unset-scripts.ts";
import { allBlocks, allInlines } from "../model/walk.ts";
import type { DocumentOptions, RenderedDocument } from "../renderer/document-renderer.ts";
import { pagePoints } from "../renderer/page-size.ts";
import { drawFormula } from "./draw-alone.ts";
import { pdfHeight, pdfToPng } from "./pdf-to-png.ts";
import type { TypstCompiler } from "./typst-compiler.ts";
import { type DrawingFacts, typstData } from "./typst-data.ts";

export type Drawn = Pick<RenderedDocument, "bytes" | "pages" | "badImages" | "remarks">;

export function drawPdf(
  compiler: TypstCompiler,
  document: RichDocument,
  assets: Assets,
  options: DocumentOptions,
): Drawn {
  const { compiled, badImages } = layOut(compiler, document, assets, options, pagePoints(options));
  return { bytes: compiler.pdf(compiled), pages: compiled.numOfPages, badImages, remarks: scriptRemarks(document) };
}

/** Width in points of a line of text with its margins. */
const PICTURE_WIDTH = 640;
const TALLEST_PIXELS = 16_000;
/** Minimum pixels per point at which small print is readable. */
const MIN_SCALE = 1.25;

export async function drawPng(
  compiler: TypstCompiler,
  document: RichDocument,
  assets: Assets,
  options: DocumentOptions,
): Promise<Drawn> {
  const whole = layOut(compiler, document, assets, options, { width: PICTURE_WIDTH, height: null });
  const pdf = compiler.pdf(whole.compiled);
  const height = await pdfHeight(pdf);
  const wanted = options.width / PICTURE_WIDTH;
  const scale = Math.min(wanted, Math.max(TALLEST_PIXELS / height, Math.min(MIN_SCALE, wanted)));
  const { badImages } = whole;
  if (height * scale <= TALLEST_PIXELS + 1)
    return { bytes: await pdfToPng(pdf, scale), pages: 1, badImages, remarks: scriptRemarks(document) };
  const cut = { width: PICTURE_WIDTH, height: Math.floor(TALLEST_PIXELS / scale) };
  const { compiled } = layOut(compiler, document, assets, options, cut);
  const remarks = [
    ...scriptRemarks(document),
    `The document is too long for one picture: only its first ${TALLEST_PIXELS} pixels are shown. Use PDF for all of it.`,
  ];
  return { bytes: await pdfToPng(compiler.pdf(compiled), scale), pages: 1, badImages, remarks };
}

function scriptRemarks(document: RichDocument): string[] {
  const remark = unsetScripts(document);
  return remark === null ? [] : [remark];
}

function layOut(
  compiler: TypstCompiler,
  document: RichDocument,
  assets: Assets,
  options: DocumentOptions,
  page: DrawingFacts["page"],
): { readonly compiled: NodeTypstDocument; readonly badImages: Drawn["badImages"] } {
  const attempt = (given: Assets, badMath: ReadonlySet<string>) => {
    const picture = page.width === PICTURE_WIDTH;
    const facts = { page, picture, fallback: compiler.fallback, badMath };
    const { json, files } = typstData(document, given, options, facts);
    return compiler.compileDocument(json, files);
  };
  const first = attempt(assets, new Set());
  if (!(first instanceof CairnError)) return { compiled: first, badImages: [] };
  const badImages = findBadImages(compiler, assets);
  const badMath = findBadMath(compiler, document);
  if (badImages.length === 0 && badMath.size === 0) throw first;
  const bad = new Set(badImages.map(({ src }) => src));
  const images = new Map([...assets.images].filter(([src]) => !bad.has(src)));
  const second = attempt({ ...assets, images }, badMath);
  if (second instanceof CairnError) throw second;
  return { compiled: second, badImages };
}

function findBadImages(compiler: TypstCompiler, assets: Assets): Drawn["badImages"] {
  return [...assets.images].flatMap(([src, image]) => {
    if (!isDrawable(image)) return [];
    const name = `/alone.${image.format}`;
    const alone = compiler.compile(`#image("${name}", width: 10pt)`, new Map([[name, image.bytes]]));
    return alone instanceof CairnError ? [{ src, reason: "it is damaged and cannot be decoded" }] : [];
  });
}

function findBadMath(compiler: TypstCompiler, document: RichDocument): Set<string> {
  const formulas = new Set<string>();
  for (const each of [...allBlocks(document), ...allInlines(document)])
    if (each.kind === "math") formulas.add(each.tex);
  return new Set([...formulas].filter((tex) => drawFormula(compiler, tex, false) === null));
}

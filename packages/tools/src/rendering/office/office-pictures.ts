/**
 * Pictures and formulas in formats that office programs accept: PNG, JPEG or GIF. Drawings, other formats and formulas
 * are drawn by Typst. Where Typst is not installed a formula is shown as TeX, and a drawing is reported.
 */
import { CairnError } from "@cairn/timeline/error";
import type { Assets } from "../image/assets.ts";
import { isDrawable, prepareImage } from "../image/prepare-image.ts";
import type { RichDocument } from "../model/document.ts";
import { mathText } from "../model/math-text.ts";
import { drawable } from "../model/readable-text.ts";
import { allBlocks, allInlines } from "../model/walk.ts";
import { formulaPng, imagePng } from "../typst/draw-alone.ts";
import type { TypstCompiler } from "../typst/typst-compiler.ts";

export interface OfficePicture {
  readonly type: "png" | "jpg" | "gif";
  readonly data: Uint8Array;
  /** Width and height in CSS pixels. */
  readonly width: number;
  readonly height: number;
}

export interface OfficePictures {
  readonly images: ReadonlyMap<string, OfficePicture>;
  /** Pictures of display formulas, by their TeX source. */
  readonly formulas: ReadonlyMap<string, OfficePicture>;
  /** Inline formulas that cannot be written as text, by TeX. */
  readonly signs: ReadonlyMap<string, OfficePicture>;
  readonly badImages: readonly { readonly src: string; readonly reason: string }[];
}

/** Rendered pixels of a formula per CSS pixel: three per point, and 0.75 points per pixel. */
const FORMULA_PIXELS = 2.25;

export async function officePictures(
  document: RichDocument,
  assets: Assets,
  openCompiler: () => Promise<TypstCompiler>,
  /** Whether lines of text can contain pictures. */
  hasSigns: boolean,
): Promise<OfficePictures> {
  const images = new Map<string, OfficePicture>();
  const formulas = new Map<string, OfficePicture>();
  const signs = new Map<string, OfficePicture>();
  const badImages: { src: string; reason: string }[] = [];
  for (const [src, image] of assets.images) {
    if (!isDrawable(image)) continue;
    const { format, bytes, width, height } = image;
    if (format === "png" && !isWhole(bytes)) badImages.push({ src, reason: "it is cut off" });
    else if (format === "png" || format === "jpg" || format === "gif")
      images.set(src, { type: format, data: bytes, width, height });
    else {
      const png = await drawn(openCompiler, (compiler) => imagePng(compiler, image));
      if (png === null) badImages.push({ src, reason: "it is damaged and cannot be decoded" });
      else if (png === "no compiler")
        badImages.push({ src, reason: `${format.toUpperCase()} needs Typst to be drawn here` });
      else images.set(src, { type: "png", data: png, width, height });
    }
  }
  const drawAll = async (all: Iterable<string>, block: boolean, into: Map<string, OfficePicture>) => {
    for (const tex of all) {
      const png = await drawn(openCompiler, (compiler) => formulaPng(compiler, tex, block));
      if (png === null || png === "no compiler") continue;
      const size = prepareImage(png);
      if (!isDrawable(size)) continue;
      const [width, height] = [size.width / FORMULA_PIXELS, size.height / FORMULA_PIXELS];
      into.set(tex, { type: "png", data: png, width, height });
    }
  };
  await drawAll(formulasOf(document), true, formulas);
  if (hasSigns) await drawAll(signsOf(document), false, signs);
  return { images, formulas, signs, badImages };
}

/** Whether a PNG is complete. No program displays a PNG without its last part; office programs show a red cross. */
function isWhole(png: Uint8Array): boolean {
  return Buffer.from(png.buffer, png.byteOffset, png.byteLength).lastIndexOf("IEND") > 0;
}

async function drawn(
  openCompiler: () => Promise<TypstCompiler>,
  draw: (compiler: TypstCompiler) => Promise<Uint8Array | null>,
): Promise<Uint8Array | null | "no compiler"> {
  try {
    return await draw(await openCompiler());
  } catch (error) {
    if (CairnError.is(error) && error.code === "renderer_missing") return "no compiler";
    throw error;
  }
}

function formulasOf(document: RichDocument): ReadonlySet<string> {
  const found = new Set<string>();
  for (const block of allBlocks(document)) if (block.kind === "math") found.add(block.tex);
  return found;
}

function signsOf(document: RichDocument): ReadonlySet<string> {
  const found = new Set<string>();
  for (const inline of allInlines(document)) if (inline.kind === "math") found.add(inline.tex);
  return new Set([...found].filter((tex) => mathText(drawable(tex)) === null));
}

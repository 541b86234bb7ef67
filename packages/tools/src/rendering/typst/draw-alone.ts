/** Single formulas and drawings as PNG, for formats that support neither. Three pixels per point print sharply. */
import { CairnError } from "@cairn/timeline/error";
import type { DrawableImage } from "../image/prepare-image.ts";
import { pdfToPng } from "./pdf-to-png.ts";
import type { TypstCompiler } from "./typst-compiler.ts";
import { typstMath } from "./typst-math.ts";

const SCALE = 3;
const PAGE = "#set page(width: auto, height: auto, margin: 1pt)\n";

/** The PDF of a formula; null when it cannot be rendered. */
export function drawFormula(compiler: TypstCompiler, tex: string, block: boolean): Uint8Array | null {
  const math = typstMath(tex);
  if (math === null) return null;
  // The formula is passed as data, so that no quote in it can end a string of the program.
  const program = `${PAGE}#set text(size: 11pt, top-edge: "bounds", bottom-edge: "bounds")\n#let d = json("/formula.json")\n#math.equation(block: ${block}, eval(d, mode: "math", scope: (std: none)))`;
  const compiled = compiler.compile(program, new Map([["/formula.json", Buffer.from(JSON.stringify(math))]]));
  return compiled instanceof CairnError ? null : compiler.pdf(compiled);
}

export async function formulaPng(compiler: TypstCompiler, tex: string, block: boolean): Promise<Uint8Array | null> {
  const pdf = drawFormula(compiler, tex, block);
  return pdf === null ? null : await pdfToPng(pdf, SCALE);
}

const MAX_WIDTH_POINTS = 600;
const LETTERS = "Inter";

/** A drawing, or a picture in a format that office programs do not support; null when it is damaged. */
export async function imagePng(compiler: TypstCompiler, image: DrawableImage): Promise<Uint8Array | null> {
  const name = `/drawing.${image.format}`;
  const width = Math.min(image.width * 0.75, MAX_WIDTH_POINTS);
  // Fallback fonts for drawings that name no installed font; the default would have serifs.
  const faces = JSON.stringify([LETTERS, ...compiler.fallback])
    .replace("[", "(")
    .replace(/\]$/, ")");
  const program = `#set page(width: auto, height: auto, margin: 0pt)\n#set text(font: ${faces})\n#image("${name}", width: ${width}pt)`;
  const compiled = compiler.compile(program, new Map([[name, image.bytes]]));
  return compiled instanceof CairnError ? null : await pdfToPng(compiler.pdf(compiled), SCALE);
}

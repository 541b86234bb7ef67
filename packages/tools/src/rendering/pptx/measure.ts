/** Estimates the height of a text on a slide, in inches, with slightly wide characters, to avoid an overflow. */
import { emWidth, lineCount } from "../model/text-width.ts";

export const POINTS_AN_INCH = 72;
/** Line height as a multiple of the letter size. */
const LINE = 1.22;
const MONOSPACE = 0.6;
const SAFETY = 1.02;
const WIDE = /[\u2e80-\uffef]/u;

export interface TextShape {
  /** Letter size in points. */
  readonly size: number;
  /** Width of a line, in inches. */
  readonly width: number;
  /** The font; `monospace` for code. */
  readonly face: string;
}

export function textHeight(text: string, { size, width, face }: TextShape): number {
  const lines = lineCount(text, (width * POINTS_AN_INCH) / size, (word) => wordWidth(word, face));
  return (lines * size * LINE) / POINTS_AN_INCH;
}

function wordWidth(word: string, face: string): number {
  if (face !== "monospace") return emWidth(word, face) * SAFETY;
  let width = 0;
  for (const character of word) width += WIDE.test(character) ? 1 : MONOSPACE;
  return width;
}

/**
 * How much room a text takes on a slide, in inches. An estimate, as slides are laid out by whoever opens them: characters
 * are taken a little wider than they are, so that a slide rather has room left than too little.
 */
const POINTS_AN_INCH = 72;
/** Of the size of the letters. */
const LETTER = 0.48;
const MONOSPACE = 0.56;
const IDEOGRAPH = 1.02;
const LINE = 1.22;

export interface TextShape {
  readonly size: number;
  /** Inches a line has. */
  readonly width: number;
  readonly monospace?: boolean;
}

export function textHeight(text: string, shape: TextShape): number {
  return (lineCount(text, shape) * shape.size * LINE) / POINTS_AN_INCH;
}

export function lineCount(text: string, { size, width, monospace = false }: TextShape): number {
  const room = (width * POINTS_AN_INCH) / size;
  return text.split("\n").reduce((lines, line) => lines + Math.max(1, Math.ceil(emWidth(line, monospace) / room)), 0);
}

function emWidth(line: string, monospace: boolean): number {
  let width = 0;
  for (const character of line) width += character > "\u2e7f" ? IDEOGRAPH : monospace ? MONOSPACE : LETTER;
  return width;
}

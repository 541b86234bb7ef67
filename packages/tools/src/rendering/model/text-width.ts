/** Estimates the width of a text without its font, to plan layouts that only the reader's program computes. */

/** Thousandths of an em, from the space to the tilde. */
const ASCII = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
  556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
  556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
  260, 334, 584,
] as const;
const OTHER = 600;
const IDEOGRAPH = 1_000;

/** Widths of other fonts, relative to the measured one. */
const FACES: ReadonlyMap<string, number> = new Map([
  ["Calibri", 0.92],
  ["Arial", 1],
  ["Georgia", 1.08],
  ["Inter", 1.12],
  ["Source Serif 4", 1.04],
]);

/** The width in ems. An unknown font is assumed to be wide. */
export function emWidth(text: string, face: string): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    width += code < 0x7f ? (ASCII[code - 0x20] ?? 0) : code > 0x2e7f ? IDEOGRAPH : OTHER;
  }
  return (width * (FACES.get(face) ?? 1.1)) / 1_000;
}

/** Number of lines of a text with this many ems per line; words that are too long are split. */
export function lineCount(text: string, room: number, measure: (word: string) => number): number {
  return text.split("\n").reduce((sum, line) => sum + linesOf(line, Math.max(1, room), measure), 0);
}

function linesOf(line: string, room: number, measure: (word: string) => number): number {
  let lines = 1;
  let used = 0;
  for (const [word] of line.matchAll(WORD)) {
    const width = measure(word.trimEnd());
    if (used > 0 && used + width > room) {
      lines++;
      used = 0;
    }
    if (width > room) {
      lines += Math.ceil(width / room) - 1;
      used = width % room;
    } else used += measure(word);
  }
  return lines;
}

/** A word with the space after it. Ideographs are separate words. */
const WORD = /[\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]\s*|[^\s\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]+\s*|\s+/g;

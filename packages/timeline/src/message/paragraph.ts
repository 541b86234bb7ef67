/** A text message that ends with one blank line. */
import type { MessageBlock } from "./message.ts";

const NOTHING: readonly MessageBlock[] = [];
export const BLANK_LINE = "\n\n";

/** Returns nothing for an empty text, which no provider accepts. */
export function paragraph(body: string): readonly MessageBlock[] {
  let end = body.length;
  while (end > 0 && isLineBreak(body.charCodeAt(end - 1))) end--;
  if (end === 0) return NOTHING;
  return [{ type: "text", text: inOnePiece((end === body.length ? body : body.slice(0, end)) + BLANK_LINE) }];
}

/**
 * JavaScript engines store a concatenated text as a chain of pieces until somebody searches the text. Every garbage
 * collection walks the chains of a whole conversation, which costs more than rendering. Searching for `held`, a part of
 * the text, flattens the chain at once.
 */
export function inOnePiece(text: string, held = "\n"): string {
  return text.includes(held) ? text : "";
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

/** A text message, ended by one blank line of its own. */
import type { MessageBlock } from "./message.ts";

const NOTHING: readonly MessageBlock[] = [];
export const BLANK_LINE = "\n\n";

/** Nothing for an empty text, which no provider accepts. */
export function paragraph(body: string): readonly MessageBlock[] {
  let end = body.length;
  while (end > 0 && isLineBreak(body.charCodeAt(end - 1))) end--;
  if (end === 0) return NOTHING;
  return [{ type: "text", text: inOnePiece((end === body.length ? body : body.slice(0, end)) + BLANK_LINE) }];
}

/**
 * Engines keep a concatenation as a chain of its pieces until somebody searches it. The chains of a whole conversation
 * are walked by every garbage collection, which costs more than rendering; laid out at once, the pieces die young.
 * `held` is something the text is known to hold.
 */
export function inOnePiece(text: string, held = "\n"): string {
  return text.includes(held) ? text : "";
}

function isLineBreak(code: number): boolean {
  return code === 10 || code === 13;
}

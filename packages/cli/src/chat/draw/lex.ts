/** Markdown as tokens, in GitHub's dialect. A text that would overload the parser is one plain paragraph. */
import { marked, type Token } from "marked";

/** Longer texts would take seconds to parse. */
const MAX_LENGTH = 400_000;
const MAX_DEPTH = 40;
/** The parser compares the marks of a paragraph with each other, so its cost is quadratic in their number. */
const MAX_MARKS = 2_500;

const NESTED = new RegExp(`^[ \\t]*(?:(?:>|[-*+]|\\d{1,9}[.)])[ \\t]*){${MAX_DEPTH}}`, "m");

export function lexMarkdown(text: string): Token[] {
  if (isTooMuch(text)) return [{ type: "paragraph", raw: text, text, tokens: [{ type: "text", raw: text, text }] }];
  return [...marked.lexer(text, { gfm: true })];
}

function isTooMuch(text: string): boolean {
  return (
    text.length > MAX_LENGTH ||
    NESTED.test(text) ||
    /[[*_~]{400}/.test(text) ||
    text.split(/\n[ \t]*\n/).some((block) => (block.match(/[*_~`<[]/g)?.length ?? 0) > MAX_MARKS)
  );
}

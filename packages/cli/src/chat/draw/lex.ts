/** Markdown as tokens, in GitHub's dialect. A text that would overload the parser becomes one plain paragraph. */
import { marked, type Token } from "marked";

/** Longer texts are not parsed, because parsing would take seconds. */
const MAX_LENGTH = 400_000;
const MAX_DEPTH = 40;
/** Maximum marks in a paragraph: the parser compares them with each other, so its time grows with their square. */
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

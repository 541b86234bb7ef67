/**
 * Markdown as tokens: GitHub's dialect, with math and citation tokens. The tokens become React elements and never HTML,
 * so that text of a model is always shown as text.
 *
 * Text that would overload the parser, such as ten thousand nested quotes, is returned as one plain paragraph.
 */
import { extractCitations } from "@cairn/timeline";
import { Marked, type Token, type TokenizerExtension, type Tokens } from "marked";

export interface MathToken extends Tokens.Generic {
  readonly type: "math";
  readonly tex: string;
  readonly isBlock: boolean;
}

export interface CitationToken extends Tokens.Generic {
  readonly type: "citation";
  readonly sids: readonly number[];
}

const CITATION =
  /^[[［]{2}[ \t]*s[ \t]*[:：][ \t]*\d{1,9}(?:[-–]\d{1,9})?(?:[ \t]*,[ \t]*\d{1,9}(?:[-–]\d{1,9})?)*[ \t]*[\]］]{2}/i;

/** How many characters before a citation can be what it cites. */
const MAX_CLAIM = 2_000;

/** The citation tokens of a text, each with the text before it. */
export function citationsIn(text: string): { readonly sids: readonly number[]; readonly before: string }[] {
  const token = new RegExp(CITATION.source.slice(1), "gi");
  return [...text.matchAll(token)].map(({ 0: raw, index }) => ({
    sids: extractCitations(raw, "markdown"),
    before: text.slice(Math.max(0, index - MAX_CLAIM), index).replace(token, ""),
  }));
}

const citation: TokenizerExtension = {
  name: "citation",
  level: "inline",
  start: (src) => foundAt(src.search(/[[［]{2}[ \t]*s/i)),
  tokenizer: (src) => {
    const raw = CITATION.exec(src)?.[0];
    if (raw === undefined) return undefined;
    const sids = extractCitations(raw, "markdown");
    return sids.length === 0 ? undefined : ({ type: "citation", raw, sids } satisfies CitationToken);
  },
};

const blockMath: TokenizerExtension = {
  name: "math",
  level: "block",
  // Called with the rest of a block after its first character. A match counts only at the start of a line.
  start: (src) => foundAt(src.search(/\n(?:\$\$|\\\[)/)),
  tokenizer: (src) => {
    const found = /^(?:\$\$([^$]{1,8000}?)\$\$|\\\[([\s\S]{1,8000}?)\\\])[ \t]*(?:\n+|$)/.exec(src);
    if (found === null) return undefined;
    return { type: "math", raw: found[0], tex: (found[1] ?? found[2] ?? "").trim(), isBlock: true } satisfies MathToken;
  },
};

/** Dollar signs enclose math only if no space is inside of them and no digit follows, so that prices are not math. */
const inlineMath: TokenizerExtension = {
  name: "inlineMath",
  level: "inline",
  start: (src) => foundAt(src.search(/\$|\\\(/)),
  tokenizer: (src) => {
    const found =
      /^\$(?![\s$])((?:\\.|[^$\\\n]){1,2000}?)(?<!\s)\$(?!\d)/.exec(src) ?? /^\\\(([\s\S]{1,2000}?)\\\)/.exec(src);
    if (found === null) return undefined;
    return { type: "math", raw: found[0], tex: (found[1] ?? "").trim(), isBlock: false } satisfies MathToken;
  },
};

const marked = new Marked({ gfm: true, extensions: [citation, blockMath, inlineMath] });
/** Longer texts are shown unformatted, because nobody reads them and parsing would take seconds. */
const MAX_LENGTH = 400_000;

export function lexMarkdown(text: string): Token[] {
  if (text.length > MAX_LENGTH || isNestedTooDeep(text) || isMarkedTooOften(text)) return [plain(text)];
  try {
    return [...marked.lexer(text)];
  } catch {
    return [plain(text)]; // A text that overflows the parser's stack is shown as text.
  }
}

const MAX_DEPTH = 40;

function isNestedTooDeep(text: string): boolean {
  return (
    new RegExp(`^[ \\t]*(?:(?:>|[-*+]|\\d{1,9}[.)])[ \\t]*){${MAX_DEPTH}}`, "m").test(text) || /[[*_~]{400}/.test(text)
  );
}

/** Maximum marks in a paragraph: the parser compares them with each other, so its time grows with their square. */
const MAX_MARKS = 2_500;

function isMarkedTooOften(text: string): boolean {
  return text.split(/\n[ \t]*\n/).some((block) => (block.match(/[*_~`<[$]/g)?.length ?? 0) > MAX_MARKS);
}

function plain(text: string): Token {
  return { type: "paragraph", raw: text, text, tokens: [{ type: "text", raw: text, text }] };
}

function foundAt(index: number): number | undefined {
  return index < 0 ? undefined : index;
}

/**
 * Syntax highlighting: highlight.js finds keywords, strings and comments; the theme gives their colours. An undeclared
 * language is not guessed, because a wrong guess looks worse than no highlighting.
 */
import { decodeHTMLStrict } from "entities/decode";
import hljs from "highlight.js";

export type CodeColour = "keyword" | "string" | "comment" | "number" | "name" | "type" | "meta" | "added" | "removed";

export interface CodePiece {
  readonly text: string;
  readonly colour: CodeColour | null;
}

/** Maximum length of code that is highlighted; more would take too long. */
const MAX_LENGTH = 200_000;

const COLOUR_OF_SCOPE: ReadonlyMap<string, CodeColour> = new Map([
  ["keyword", "keyword"],
  ["literal", "keyword"],
  ["selector-tag", "keyword"],
  ["string", "string"],
  ["regexp", "string"],
  ["char", "string"],
  ["comment", "comment"],
  ["doctag", "comment"],
  ["quote", "comment"],
  ["number", "number"],
  ["symbol", "number"],
  ["title", "name"],
  ["section", "name"],
  ["name", "keyword"],
  ["attr", "name"],
  ["attribute", "name"],
  ["property", "name"],
  ["built_in", "type"],
  ["type", "type"],
  ["class", "type"],
  ["selector-class", "type"],
  ["selector-id", "type"],
  ["meta", "meta"],
  ["addition", "added"],
  ["deletion", "removed"],
]);

/** The lines of a code block, each in pieces of one colour. */
export function highlightLines(text: string, language: string | null): CodePiece[][] {
  const lines: CodePiece[][] = [[]];
  for (const { text: piece, colour } of highlight(text.replaceAll("\t", "    "), language)) {
    const [first = "", ...rest] = piece.split("\n");
    if (first !== "") lines.at(-1)?.push({ text: first, colour });
    for (const line of rest) lines.push(line === "" ? [] : [{ text: line, colour }]);
  }
  return lines;
}

function highlight(text: string, language: string | null): CodePiece[] {
  if (language === null || text.length > MAX_LENGTH || hljs.getLanguage(language) === undefined)
    return [{ text, colour: null }];
  const html = hljs.highlight(text, { language, ignoreIllegals: true }).value;
  const pieces: CodePiece[] = [];
  const scopes: (CodeColour | null)[] = [];
  for (const [, scope, close, plain] of html.matchAll(/<span class="hljs-([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (scope !== undefined) scopes.push(COLOUR_OF_SCOPE.get(scope.split(/[ .]/)[0] ?? "") ?? scopes.at(-1) ?? null);
    else if (close !== undefined) scopes.pop();
    else if (plain !== undefined) pieces.push({ text: decodeHTMLStrict(plain), colour: scopes.at(-1) ?? null });
  }
  return pieces;
}

/**
 * Extensions to GitHub's Markdown: citation tokens, footnotes and formulas. The lexer reads an extension like its own
 * syntax, so no extension is recognised inside code.
 *
 * A formula between single dollars neither begins nor ends with a space and is followed by no digit: `$5 and $10` are
 * prices.
 */
import type { TokenizerExtension } from "marked";
import { citationAt } from "../model/citation-tokens.ts";

export const EXTENSIONS: readonly TokenizerExtension[] = [
  {
    name: "citation",
    level: "inline",
    start: (text) => firstIndex(text, /[[［][[［]/),
    tokenizer: (text) => {
      const citation = citationAt(text);
      return citation === null ? undefined : { type: "citation", raw: citation.token, sids: citation.sids };
    },
  },
  {
    name: "footnoteRef",
    level: "inline",
    start: (text) => firstIndex(text, /\[\^/),
    tokenizer: (text) => {
      const [raw, id] = /^\[\^([^\]\s]{1,100})\]/.exec(text) ?? [];
      return raw === undefined ? undefined : { type: "footnoteRef", raw, id };
    },
  },
  {
    name: "footnoteDef",
    level: "block",
    start: (text) => lineIndex(text, /\n\[\^/),
    tokenizer: readFootnote,
  },
  {
    name: "mathBlock",
    level: "block",
    start: (text) => lineIndex(text, /\n(?:\$\$|\\\[)/),
    tokenizer: (text) => {
      const [raw, dollars, brackets] =
        /^(?:\$\$([^$]{1,10000}?)\$\$|\\\[([\s\S]{1,10000}?)\\\])[ \t]*(?:\n+|$)/.exec(text) ?? [];
      return raw === undefined ? undefined : { type: "mathBlock", raw, tex: (dollars ?? brackets ?? "").trim() };
    },
  },
  {
    name: "mathInline",
    level: "inline",
    start: (text) => firstIndex(text, /\$|\\\(/),
    tokenizer: (text) => {
      const [raw, display, dollars, brackets] =
        /^(?:\$\$([^$\n]{1,5000}?)\$\$|\$(?![\s$])([^$\n]{0,5000}?[^\s$\\])\$(?!\d)|\\\(([^\n]{1,5000}?)\\\))/.exec(
          text,
        ) ?? [];
      const tex = display ?? dollars ?? brackets;
      if (raw === undefined || tex === undefined || (brackets !== undefined && !looksLikeMath(brackets)))
        return undefined;
      return { type: "mathInline", raw, tex: tex.trim() };
    },
  },
];

/** Brackets after backslashes may be ordinary brackets: `f\(x, y\)` is a formula, `call\(1\)` is not. */
function looksLikeMath(tex: string): boolean {
  return !/["'`]/.test(tex) && (/[\\^_=+<>{}]/.test(tex) || /^\s*[A-Za-z]\s*$/.test(tex));
}

/** Reads a footnote: `[^id]: text` and the indented lines after it. */
function readFootnote(text: string): { type: string; raw: string; id: string; body: string } | undefined {
  const [opening, id] = /^\[\^([^\]\s]{1,100})\]:[ \t]*/.exec(text) ?? [];
  if (opening === undefined || id === undefined) return undefined;
  let end = lineEnd(text, opening.length);
  for (;;) {
    const next = end;
    const line = text.slice(next, lineEnd(text, next));
    if (line === "") break;
    const isBlank = line.trim() === "";
    const after = isBlank ? text.slice(lineEnd(text, next), lineEnd(text, lineEnd(text, next))) : line;
    if (!/^(?: {2,}|\t)\S/.test(after)) break;
    end = lineEnd(text, next);
  }
  const body = text
    .slice(opening.length, end)
    .split("\n")
    .map((line) => line.replace(/^(?: {1,4}|\t)/, ""))
    .join("\n");
  return { type: "footnoteDef", raw: text.slice(0, end), id, body };
}

/** Index just after the line break. */
function lineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at === -1 ? text.length : at + 1;
}

/** Index of the first line that begins with the pattern. The text itself may begin inside a line. */
function lineIndex(text: string, pattern: RegExp): number | undefined {
  const at = text.search(pattern);
  return at === -1 ? undefined : at + 1;
}

function firstIndex(text: string, pattern: RegExp): number | undefined {
  const at = text.search(pattern);
  return at === -1 ? undefined : at;
}

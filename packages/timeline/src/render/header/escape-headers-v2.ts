/**
 * How headers in content were escaped by versions 1 and 2 of the rendering rules.
 *
 * The model tells user text, tool output and the runtime's own lines apart by headers at the start of a line. Any line
 * of content that would read as a header is prefixed with a backslash. Blanks and invisible characters before a header,
 * between its words or inside them are ignored, and all kinds of line breaks count: every text that a reader may take
 * for a header at the start of a line is escaped.
 *
 * Linear time: a line is read from its start only, blanks are skipped once, and each header is compared once.
 */
import { LINE_BREAK } from "../../message/inline.ts";
import { HEADERS } from "./headers.ts";

/** Characters that may be invisible: control and format characters, lone marks. */
const INVISIBLE = /^[\p{C}\p{M}]$/u;
/** Matches one blank or invisible character. */
const BLANK = /^[\p{Z}\p{C}\p{M}]$/u;
const BREAK = new RegExp(`[${LINE_BREAK}]`);

/**
 * The beginning of every header: a bracket before one of the letters A to U, or an S before an O, with only invisible
 * characters between. Most text contains neither and is passed through quickly.
 */
const HEADER_START = /\[[^!-@V-~]|S[^ -NP-~\n\r]/;

/** Escapes content that starts on a line of its own. */
export function escapeLinesV2(text: string): string {
  return HEADER_START.test(text) ? escapeFrom(text, true) : text;
}

/** Escapes content whose first line continues a header's line. */
export function escapeLaterLinesV2(text: string): string {
  return HEADER_START.test(text) ? escapeFrom(text, false) : text;
}

function escapeFrom(text: string, isFirstLine: boolean): string {
  let escaped = "";
  let done = 0;
  const mark = (start: number) => {
    if (!isHeader(text, start)) return;
    escaped += `${text.slice(done, start)}\\`;
    done = start;
  };
  if (isFirstLine) mark(0);
  for (const { index } of text.matchAll(ANY_BREAK)) mark(index + 1);
  return escaped + text.slice(done);
}

/** One of the headers after blanks, with any run of blanks for a blank and any invisible characters between letters. */
function isHeader(text: string, start: number): boolean {
  const begin = skip(text, start, BLANK);
  const first = text[begin];
  return (first === "[" || first === "S") && HEADERS.some((header) => isSpelled(header, text, begin));
}

function isSpelled(header: string, text: string, begin: number): boolean {
  let at = begin;
  for (let index = 0; index < header.length; index++) {
    const letter = header[index];
    if (letter === " ") {
      const behind = skip(text, at, BLANK);
      if (behind === at) return false;
      at = behind;
      continue;
    }
    if (header[index - 1] === "[") at = skip(text, at, BLANK);
    else if (index > 0) at = skip(text, at, INVISIBLE);
    if (text[at] !== letter) return false;
    at++;
  }
  return true;
}

/** Index at which a run of blank and invisible characters ends; a line break ends every run. */
function skip(text: string, start: number, kind: RegExp): number {
  for (let at = start; ; ) {
    const point = text.codePointAt(at);
    if (point === undefined) return at;
    const character = String.fromCodePoint(point);
    const isPlain = point > 0x20 && point < 0x7f;
    if (isPlain || BREAK.test(character) || !kind.test(character)) return at;
    at += character.length;
  }
}

const ANY_BREAK = new RegExp(`[${LINE_BREAK}]`, "g");
/** Maximum length of a header, including some invisible characters. */
const MAX_HEADER_LENGTH = 200;

/**
 * The first `end` characters of a text. If the cut is inside a header, its line is escaped, because without its end a
 * header can no longer be distinguished from ordinary text. Texts are cut long after the start of their first line.
 */
export function cutLinesV2(text: string, end: number): string {
  const shown = text.slice(0, end);
  if (end >= text.length) return shown;
  const from = Math.max(0, end - MAX_HEADER_LENGTH);
  let start = -1;
  for (const { index } of shown.slice(from).matchAll(ANY_BREAK)) start = from + index + 1;
  if (start === -1 || start === end) return shown;
  // A line that already begins with a backslash is not a header, whatever follows.
  const isMarked = (line: string) => !line.startsWith("\\") && escapeLinesV2(line).startsWith("\\");
  const isCut = isMarked(text.slice(start, end + MAX_HEADER_LENGTH)) && !isMarked(shown.slice(start));
  return isCut ? `${shown.slice(0, start)}\\${shown.slice(start)}` : shown;
}

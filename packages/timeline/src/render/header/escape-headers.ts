/**
 * A backslash before every line that would read as a header (`header-at.ts`).
 *
 * Text is scanned for lines whose first visible character may begin a header. Few lines qualify, and only these are
 * read further, so a scan costs about as much as a search for line breaks.
 */
import { LINE_BREAK } from "../../message/inline.ts";
import { isHeaderAt } from "./header-at.ts";

const ANY_BREAK = new RegExp(`[${LINE_BREAK}]`, "g");
/** Line breaks other than the line feed; most text contains none. */
const OTHER_BREAK = /[\r\v\f\x85\u2028\u2029]/;

/** Escapes content that starts on a line of its own. */
export function escapeLines(text: string): string {
  const escaped = escapeLaterLines(text);
  return mayBeHeader(text, 0) && isHeaderAt(text, 0) ? `\\${escaped}` : escaped;
}

/** Escapes content whose first line continues a header's line. */
export function escapeLaterLines(text: string): string {
  const nextLine = OTHER_BREAK.test(text) ? afterAnyBreak : afterLineFeed;
  let escaped = "";
  let done = 0;
  for (let start = nextLine(text, 0); start !== 0; start = nextLine(text, start)) {
    if (!mayBeHeader(text, start) || !isHeaderAt(text, start)) continue;
    escaped += `${text.slice(done, start)}\\`;
    done = start;
  }
  return done === 0 ? text : escaped + text.slice(done);
}

/** Index at which the next line begins; 0 if there is none. */
function afterLineFeed(text: string, from: number): number {
  return text.indexOf("\n", from) + 1;
}

function afterAnyBreak(text: string, from: number): number {
  ANY_BREAK.lastIndex = from;
  return ANY_BREAK.test(text) ? ANY_BREAK.lastIndex : 0;
}

/** Characters after indentation that may begin a header: a bracket, an S, or any character outside ASCII. */
const MAY_BE_HEADER = /[ \t]*(?:[[Ss]|[^\t\n\r -~])/y;

/** Whether the first character of a line, after indentation, may begin a header. */
function mayBeHeader(text: string, start: number): boolean {
  const code = text.charCodeAt(start);
  if (code !== 32 && code !== 9)
    return code === 0x5b || code === 0x53 || code === 0x73 || code > 0x7e || (code < 32 && code !== 10);
  MAY_BE_HEADER.lastIndex = start;
  return MAY_BE_HEADER.test(text);
}

/** The first `end` characters. A line is escaped if its header is cut, because a cut header looks like plain text. */
export function cutLines(text: string, end: number): string {
  const shown = text.slice(0, end);
  if (end >= text.length) return shown;
  const start = lastLineStart(shown);
  if (start === end || !isHeaderAt(text, start) || isHeaderAt(shown, start)) return shown;
  return `${shown.slice(0, start)}\\${shown.slice(start)}`;
}

function lastLineStart(text: string): number {
  for (let size = 1_000; ; size *= 10) {
    const from = Math.max(0, text.length - size);
    let start = -1;
    for (const { index } of text.slice(from).matchAll(ANY_BREAK)) start = from + index + 1;
    if (start !== -1 || from === 0) return Math.max(0, start);
  }
}

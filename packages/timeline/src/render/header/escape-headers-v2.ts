/**
 * How headers in content were escaped by versions 1 and 2 of the rendering rules.
 *
 * The model tells user text, tool output and the runtime's own lines apart by headers at the start of a line. Any line
 * of a payload that would read as one is prefixed with a backslash. Blanks and invisible characters before it, between
 * its words or inside them are ignored, and all kinds of line breaks count: every text that a reader may take for a
 * header at the start of a line is escaped.
 *
 * Linear time: a line is read from its start only, blanks are skipped once, and each header is compared once.
 */
import { HEADERS, LINE_BREAK } from "./headers.ts";

/** Characters that may be invisible: control and format characters, lone marks. */
const INVISIBLE = `[[\\p{C}\\p{M}]--[${LINE_BREAK}]]`;
/** Invisible characters and blanks. */
const BLANK = `[[\\p{Z}\\p{C}\\p{M}]--[${LINE_BREAK}]]`;

/** A regular expression for a header: any run of blanks for a blank, and invisible characters between letters. */
function headerPattern(header: string): string {
  const characters = [...header].map((each) => (each === " " ? `${BLANK}+` : each.replace(/[[\].]/, "\\$&")));
  return characters.join(`${INVISIBLE}*`).replace("\\[", `\\[${BLANK}*`);
}

const HEADER = HEADERS.map(headerPattern).join("|");
const ANY_HEADER = `${BLANK}*(?:${HEADER})`;
const AT_LINE_START = new RegExp(`(?<=^|[${LINE_BREAK}])(?=${ANY_HEADER})`, "gv");
const AFTER_LINE_BREAK = new RegExp(`(?<=[${LINE_BREAK}])(?=${ANY_HEADER})`, "gv");
/**
 * The beginning of every header: a bracket before one of the letters A to U, or an S before an O, with only invisible
 * characters between. Most text contains neither and is passed through quickly.
 */
const HEADER_START = /\[[^!-@V-~]|S[^ -NP-~\n\r]/;
/** Links and citations begin the same way. One more search of the whole text avoids checking every line for them. */
const WHOLE_HEADER = new RegExp(HEADER, "v");

/** For a payload that starts on a line of its own. */
export function escapeLinesV2(text: string): string {
  return mayHoldHeader(text) ? text.replace(AT_LINE_START, "\\") : text;
}

/** For a payload whose first line continues a header's line. */
export function escapeLaterLinesV2(text: string): string {
  return mayHoldHeader(text) ? text.replace(AFTER_LINE_BREAK, "\\") : text;
}

const ANY_BREAK = new RegExp(`[${LINE_BREAK}]`, "g");
/** Maximum length of a header, with some invisible characters. */
const LONGEST_HEADER = 200;

/**
 * The first `end` characters of a text. If the cut is inside a header, its line is escaped here, because the rest of
 * the header can no longer be told from ordinary text. Texts are cut long after the start of their first line.
 */
export function cutLinesV2(text: string, end: number): string {
  const shown = text.slice(0, end);
  if (end >= text.length) return shown;
  const from = Math.max(0, end - LONGEST_HEADER);
  let start = -1;
  for (const { index } of shown.slice(from).matchAll(ANY_BREAK)) start = from + index + 1;
  if (start === -1 || start === end) return shown;
  // A line that already begins with a backslash is not a header, whatever follows.
  const isMarked = (line: string) => !line.startsWith("\\") && escapeLinesV2(line).startsWith("\\");
  const isCut = isMarked(text.slice(start, end + LONGEST_HEADER)) && !isMarked(shown.slice(start));
  return isCut ? `${shown.slice(0, start)}\\${shown.slice(start)}` : shown;
}

function mayHoldHeader(text: string): boolean {
  return HEADER_START.test(text) && WHOLE_HEADER.test(text);
}

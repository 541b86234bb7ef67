/**
 * Escaping, so that no content can forge a header.
 *
 * The model tells user text, tool output and the runtime's own lines apart by headers at the start of a line. Any line
 * of a payload that would read as one is prefixed with a backslash. The renderer's version defines which lines read as
 * a header.
 */
import { cutLines, escapeLaterLines, escapeLines } from "./header/escape-headers.ts";
import { cutLinesV2, escapeLaterLinesV2, escapeLinesV2 } from "./header/escape-headers-v2.ts";
import { LINE_BREAK } from "./header/headers.ts";
import { RENDERER_VERSION } from "./version.ts";

export interface EscapeRules {
  /** For a payload that starts on a line of its own. */
  readonly payload: (text: string) => string;
  /** For a payload whose first line continues a header's line. */
  readonly continuation: (text: string) => string;
  /** The first `end` characters of an unescaped payload. If the cut is inside a header, that header is escaped. */
  readonly cut: (text: string, end: number) => string;
}

const CURRENT: EscapeRules = { payload: escapeLines, continuation: escapeLaterLines, cut: cutLines };
const BEFORE_3: EscapeRules = { payload: escapeLinesV2, continuation: escapeLaterLinesV2, cut: cutLinesV2 };

/** `version` is the version of the rendering rules. */
export function escapeRules(version = RENDERER_VERSION): EscapeRules {
  return version >= 3 ? CURRENT : BEFORE_3;
}

const LINE_BREAKS = new RegExp(`\\r\\n|[${LINE_BREAK}]`, "g");
/** Longer names are checked with the regular expression; for shorter ones a simple loop is faster. */
const SHORT_NAME = 100;

/** Escapes a name, id or path inside a header: it stays on one line, with line breaks shown as `\n`. */
export function inline(text: string): string {
  return text.length <= SHORT_NAME && !holdsLineBreak(text) ? text : text.replace(LINE_BREAKS, "\\n");
}

function holdsLineBreak(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 32 ? code >= 10 && code <= 13 : code === 0x85 || code === 0x2028 || code === 0x2029) return true;
  }
  return false;
}

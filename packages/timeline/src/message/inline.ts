/** Writes names, ids and paths inside a header. */

/** Every line break that some reader recognises, as the inside of a character class. */
export const LINE_BREAK = "\\n\\r\\v\\f\\x85\\u2028\\u2029";
const LINE_BREAKS = new RegExp(`\\r\\n|[${LINE_BREAK}]`, "g");
/** Names up to this length are checked with a loop, which is faster; longer ones with the regular expression. */
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

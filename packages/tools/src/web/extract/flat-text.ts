/**
 * Extracts the text of HTML without building a document: in time linear in its length and without recursion, for pages
 * that are nested deeper than any document can be. Scripts and styles are left out, and each block is on its own line.
 */
import { decodeHTMLStrict } from "entities/decode";

const SKIPPED = new Set(["script", "style", "noscript", "template", "svg", "head", "iframe"]);
const BLOCK =
  /^(?:p|div|br|hr|li|ul|ol|dl|dt|dd|tr|table|h[1-6]|section|article|header|footer|main|pre|blockquote|form)$/;

export function flatText(html: string): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open < 0) {
      pieces.push(html.slice(at));
      break;
    }
    pieces.push(html.slice(at, open));
    at = passTag(html, open, pieces);
  }
  return decodeHTMLStrict(pieces.join(""))
    .replace(/[ \t\f\r\u00a0]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The index after the tag or comment that begins at `open`. */
function passTag(html: string, open: number, pieces: string[]): number {
  if (html.startsWith("<!--", open)) {
    const end = html.indexOf("-->", open + 4);
    return end < 0 ? html.length : end + 3;
  }
  if (!/[a-z!/?]/i.test(html[open + 1] ?? "")) {
    pieces.push("<");
    return open + 1;
  }
  const name = /^<\/?([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 40))?.[1]?.toLowerCase();
  const close = html.indexOf(">", open);
  if (close < 0) return html.length;
  if (name === undefined) return close + 1;
  if (BLOCK.test(name)) pieces.push("\n");
  if (html[open + 1] === "/" || !SKIPPED.has(name)) return close + 1;
  const ending = new RegExp(`</${name}[\\s>/]`, "gi");
  ending.lastIndex = close;
  const found = ending.exec(html);
  return found === null ? html.length : found.index;
}

/** Detects whether a text is HTML or Markdown: Markdown may contain HTML, so only a whole page is HTML. */
import type { ContentFormat } from "./renderer/document-renderer.ts";

const OPENS_PAGE = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;
const OPENS_ELEMENT = /^\s*<(?:div|section|article|main|header|h[1-6]|p|table|ul|ol|style|figure|center)\b[^>]*>/i;
/** Matches lines that occur in Markdown but not in HTML. */
const MARKDOWN_LINE = /^(?:#{1,6} |[-*+] |\d+\. |```|> |\|.*\|\s*$)/m;

export function detectFormat(content: string): ContentFormat {
  if (OPENS_PAGE.test(content)) return "html";
  if (!OPENS_ELEMENT.test(content)) return "markdown";
  const outside = content.replace(/<pre\b[\s\S]*?<\/pre>/gi, "").replace(/<style\b[\s\S]*?<\/style>/gi, "");
  return MARKDOWN_LINE.test(outside) ? "markdown" : "html";
}

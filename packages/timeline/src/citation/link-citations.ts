/**
 * Turns the citations of a document into links, for readers outside Cairn: Markdown links in Markdown, anchors in HTML.
 * Code and text inside a tag, a comment or a script stay unchanged: a link there would change the document or break it.
 * `citation-stream.ts` and `source-link.ts` describe how tokens are replaced and what links look like.
 */
import type { CitedSource, SourceLookup } from "./cited-source.ts";
import { readTag } from "./html-cites.ts";
import { markdownCode } from "./markdown-code.ts";
import { replaceCitations } from "./replace-citations.ts";
import type { LinkFormat } from "./source-link.ts";

export function linkCitations(text: string, pool: readonly CitedSource[] | SourceLookup, format: LinkFormat): string {
  return format === "html" ? linkHtml(text, pool) : linkMarkdown(text, pool);
}

type Pool = readonly CitedSource[] | SourceLookup;

function linkMarkdown(text: string, pool: Pool): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end } of markdownCode(text)) {
    pieces.push(replaceCitations(text.slice(done, start), pool, "markdown"), text.slice(start, end));
    done = end;
  }
  pieces.push(replaceCitations(text.slice(done), pool, "markdown"));
  return pieces.join("");
}

/** Elements whose text is not prose, such as code. */
const KEPT: ReadonlySet<string> = new Set(["script", "style", "pre", "code", "textarea", "title"]);

function linkHtml(text: string, pool: Pool): string {
  const pieces: string[] = [];
  let done = 0;
  const keep = (start: number, end: number, kept = text.slice(start, end)) => {
    pieces.push(replaceCitations(text.slice(done, start), pool, "html"), kept);
    done = end;
  };
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", Math.max(done, at + 1))) {
    if (text.startsWith("<!--", at)) {
      const close = text.indexOf("-->", at + 2);
      keep(at, close < 0 ? text.length : close + 3);
    } else if (/[a-z/!?]/i.test(text.charAt(at + 1))) {
      const tag = readTag(text, at + 1);
      if (tag === null) keep(at, text.length);
      else if (KEPT.has(tag.name)) keep(at, endOfElement(text, tag.end, tag.name));
      else if (tag.name === "sup" && tag.cite && tag.sids !== null) {
        const end = endOfElement(text, tag.end, "sup");
        keep(at, end, linkSup(text.slice(at, end), tag.sids, pool));
      } else keep(at, tag.end);
    }
  }
  keep(text.length, text.length);
  return pieces.join("");
}

/** A citation that is an HTML element gets links, unless it already contains links. */
function linkSup(element: string, sids: string, pool: Pool): string {
  if (/<a[\s>]/i.test(element)) return element;
  const token = `[[S:${sids.split(",").filter(isListed)}]]`;
  const linked = replaceCitations(token, pool, "html");
  return linked === token || !linked.startsWith("<sup") ? element : linked;
}

/** An item that is not an id or a range is skipped, as `extractCitations` does. */
function isListed(item: string): boolean {
  return /^\d{1,9}(?:[-–]\d{1,9})?$/.test(item.trim());
}

/** Index just after the end tag; the end of the text when there is no end tag. */
function endOfElement(text: string, from: number, name: string): number {
  const close = new RegExp(`</${name}(?=[\\s/>])[^>]*>`, "gi");
  close.lastIndex = from;
  const found = close.exec(text);
  return found === null ? text.length : found.index + found[0].length;
}

/**
 * One cited source as markdown or HTML.
 *
 * The link is `[title](url)` in Markdown, `<a href="url">title</a>` in HTML. Only `http:` and `https:` become links,
 * judged after a WHATWG parse so that no spelling of another scheme passes; any other source shows its label alone. The
 * label is the title, else the url, else `S:<sid>`. Titles and urls are untrusted: neither can end the link early, add
 * markup, or spell a citation token that a second replacement would read.
 *
 * A url keeps its spelling when that is plain; otherwise the parsed, percent-encoded form is written. Line breaks and
 * other control characters in a title become one space.
 */
import type { CitedSource } from "./cited-source.ts";

export type LinkFormat = "markdown" | "html";

export function linkSource(sid: number, source: CitedSource, format: LinkFormat): string {
  const label = labelOf(sid, source);
  const target = linkTarget(source.url);
  if (format === "markdown") {
    const text = escapeMarkdown(label);
    return target === null ? text : `[${text}](${escapeDestination(target)})`;
  }
  const text = escapeHtml(label);
  return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
}

function labelOf(sid: number, source: CitedSource): string {
  return oneLine(source.title) || oneLine(source.url) || `S:${sid}`;
}

function oneLine(value: unknown): string {
  return typeof value === "string" ? value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim() : "";
}

/** A URL without characters that parsers rewrite, that Markdown or HTML interprets, or that form a token. */
const PLAIN_URL = /^https?:\/\/[^/?#\\][^\s\p{C}"<>\\^`{|}[\]［］]*$/iu;
const AUTHORITY = /^https?:\/\/[^/?#]*/;

function linkTarget(url: unknown): string | null {
  if (typeof url !== "string") return null;
  const parsed = URL.parse(url);
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) return null;
  if (PLAIN_URL.test(url)) return url;
  // Brackets stay in the authority, where they hold an IPv6 address; the parser has encoded any others there.
  const authority = AUTHORITY.exec(parsed.href)?.[0] ?? "";
  return authority + parsed.href.slice(authority.length).replace(/["<>\\^`{|}[\]]/g, percentEncode);
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** The start of an entity such as `&name;`, in Markdown too. Any other `&` stays as it is. */
const ENTITY_START = /&(?=#?[0-9a-z]{1,32};)/gi;
const DOUBLED_FULLWIDTH = /(?<=[[［\]］])[［］]/g;
const DOUBLED_BRACKET = /(?<=[[［\]］])[[［\]］]/g;

function escapeDestination(url: string): string {
  return url.replace(/[()]/g, percentEncode).replace(ENTITY_START, "&amp;");
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>~|]|&(?=#?[0-9a-z]{1,32};)/gi, "\\$&").replace(DOUBLED_FULLWIDTH, numericEntity);
}

const HTML_ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => HTML_ENTITIES.get(character) ?? character)
    .replace(DOUBLED_BRACKET, numericEntity);
}

function numericEntity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

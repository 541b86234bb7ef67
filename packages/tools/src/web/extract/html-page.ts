/**
 * A page as markdown: the article if the page has one, else everything that is not navigation; links absolute, tables
 * and code kept. If a page cannot be parsed as a document, for example because it is nested too deeply, its bare text
 * is returned with a remark.
 */
import { Readability } from "@mozilla/readability";
import TurndownService from "turndown";
import { gfm } from "turndown-plugin-gfm";
import { type PageDocument, parseWholePage } from "../../html/whole-page.ts";
import { flatText } from "./flat-text.ts";
import type { ExtractedPage } from "./page.ts";
import { readFacts } from "./page-facts.ts";

interface PictureElement {
  getAttribute(name: string): string | null;
}

/** Maximum depth of a document; browsers build none that is deeper. The limit protects recursive code. */
const MAX_DEPTH = 512;
/** Limits on a page that is parsed: a document takes tens of times the memory of its text, a tag about a kilobyte. */
const MAX_HTML_CHARS = 8_000_000;
const MAX_PIECES = 120_000;
const MAX_ONWARD = 20;
/** An article shorter than this, and than a third of the page, is treated as a fragment of it. */
const SHORT_ARTICLE = 400;

export function htmlPage(html: string, baseUrl: string | undefined): ExtractedPage {
  if (html.length > MAX_HTML_CHARS || countPieces(html) > MAX_PIECES || nesting(html) > MAX_DEPTH)
    return {
      text: flatText(html),
      problem: "The page is too large or too deeply nested; only its bare text was read.",
    };
  try {
    return readable(html, baseUrl);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : "an unknown error";
    return {
      text: flatText(html),
      problem: `The page could not be read as a document (${why}); this is its bare text.`,
    };
  }
}

function readable(html: string, baseUrl: string | undefined): ExtractedPage {
  const document = parseWholePage(html);
  const facts = readFacts(document, baseUrl);
  makeLinksAbsolute(document, baseUrl);
  const onward = placesOnward(document, baseUrl);
  for (const each of document.querySelectorAll(
    "script, style, noscript, template, iframe, frameset, object, embed, link, dialog",
  ))
    each.remove();
  const body = document.body ?? document.documentElement;
  const whole = body?.textContent?.trim().length ?? 0;
  // Readability gets a copy, because it modifies the document.
  const article = new Readability(document.cloneNode(true) as unknown as ConstructorParameters<typeof Readability>[0], {
    charThreshold: 200,
    keepClasses: true,
  }).parse();
  const found = article?.textContent?.trim().length ?? 0;
  const isArticle = article?.content != null && (found >= SHORT_ARTICLE || found * 3 >= whole);
  const text = isArticle ? toMarkdown(parseWholePage(article.content ?? "")) : toMarkdown(cleaned(document));
  const author = facts.author ?? (isArticle ? (article.byline?.trim().slice(0, 300) ?? undefined) : undefined);
  const known = { ...facts, title: facts.title ?? (article?.title || undefined), author: author || undefined };
  if (text !== "" || onward.length === 0) return { ...known, text };
  return {
    ...known,
    text: onward.map((url) => `- <${url}>`).join("\n"),
    problem: "The page has no text of its own. It only links to the listed addresses.",
  };
}

/** The targets of a page's redirects and frames: a page may contain nothing else. */
function placesOnward(document: PageDocument, baseUrl: string | undefined): readonly string[] {
  const refreshes = [...document.querySelectorAll('meta[http-equiv="refresh" i]')].map(
    (each) => /^[\d.\s]*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(each.getAttribute("content") ?? "")?.[1] ?? "",
  );
  const frames = [...document.querySelectorAll("frame[src], iframe[src]")].map(
    (each) => each.getAttribute("src") ?? "",
  );
  const urls = [...refreshes, ...frames].flatMap((given) => {
    const url = given.trim() === "" ? null : URL.parse(given.trim(), baseUrl);
    return url !== null && /^https?:$/.test(url.protocol) ? [url.href] : [];
  });
  return [...new Set(urls)].slice(0, MAX_ONWARD);
}

function cleaned(document: PageDocument): PageDocument {
  const aside = "nav, aside, footer, [role=navigation], [role=banner], [aria-hidden=true], [hidden], form, svg, button";
  for (const each of document.querySelectorAll(aside)) each.remove();
  return document;
}

function toMarkdown(document: PageDocument): string {
  const root = document.body ?? document.documentElement;
  if (root === null) return "";
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  service.use(gfm);
  // A picture becomes its description: its address alone says nothing, and may be the picture itself.
  service.addRule("picture", {
    filter: "img",
    replacement: (_, node) => {
      const [alt, src] = ["alt", "src"].map(
        (name) => (node as unknown as PictureElement).getAttribute(name)?.trim() ?? "",
      );
      return alt === "" || alt === undefined || !/^https?:/.test(src ?? "") ? (alt ?? "") : `![${alt}](${src})`;
    },
  });
  return (
    service
      // Turndown gets HTML text, because only its own parser builds tables in the form that its plugin expects.
      .turndown(root.innerHTML)
      .replace(/(?<![ \t])[ \t]+\n/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
  );
}

function makeLinksAbsolute(document: PageDocument, baseUrl: string | undefined): void {
  const declared = document.querySelector("base[href]")?.getAttribute("href");
  const base = declared ? (URL.parse(declared, baseUrl)?.href ?? baseUrl) : baseUrl;
  for (const [selector, attribute] of [
    ["a[href]", "href"],
    ["img[src]", "src"],
  ] as const)
    for (const each of document.querySelectorAll(selector)) {
      const url = URL.parse(each.getAttribute(attribute) ?? "", base);
      if (url !== null && /^(?:https?|mailto):$/.test(url.protocol)) each.setAttribute(attribute, url.href);
      else each.removeAttribute(attribute);
    }
}

function countPieces(html: string): number {
  let count = 0;
  for (let at = 0; at < html.length; at++) {
    const code = html.charCodeAt(at);
    if (code === 0x3c || code === 0x26) count++;
  }
  return count;
}

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;

/** A tag. The pattern is unambiguous, so it matches in linear time. */
const TAG = /<(\/?)([a-z][a-z0-9]*)(?![a-z0-9])[^<>]*>/gi;
const OFTEN_UNCLOSED = /^(?:p|li|tr|td|th|dt|dd|option)$/i;

/** Approximate maximum nesting of elements: elements that are never closed count as open. */
function nesting(html: string): number {
  let [depth, deepest] = [0, 0];
  for (const [tag, close, name = ""] of html.matchAll(TAG)) {
    if (tag.endsWith("/>") || VOID.test(name) || OFTEN_UNCLOSED.test(name)) continue;
    if (close === "/") depth = Math.max(0, depth - 1);
    else deepest = Math.max(deepest, ++depth);
  }
  return deepest;
}

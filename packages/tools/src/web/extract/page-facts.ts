/**
 * Metadata of a page: title, author, dates, language, and the canonical address that it states. The data is taken from
 * JSON-LD, meta elements and the document, in that order. Everything is untrusted: texts are cut to one short line,
 * dates must be dates, and the address must be on the page's own host, so that it cannot pose as a page of another
 * host.
 */
import type { ExtractedPage } from "./page.ts";

/** The parts of a document that this file reads. */
export interface FactDocument {
  readonly title?: string;
  readonly documentElement: { getAttribute(name: string): string | null } | null;
  querySelector(selector: string): FactElement | null;
  querySelectorAll(selector: string): Iterable<FactElement>;
}

interface FactElement {
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
}

export type PageFacts = Pick<ExtractedPage, "title" | "author" | "published" | "modified" | "canonical" | "language">;

const MAX_FACT_LENGTH = 300;
const MAX_JSON_LD = 200_000;

export function readFacts(document: FactDocument, baseUrl: string | undefined): PageFacts {
  const linked = readJsonLd(document);
  const meta = (...names: string[]) => metaContent(document, names);
  return {
    title: line(meta("og:title", "twitter:title")) ?? line(linked.headline) ?? line(document.title),
    author: line(nameOf(linked.author)) ?? line(meta("author", "article:author", "dc.creator", "parsely-author")),
    published:
      date(linked.datePublished) ??
      date(meta("article:published_time", "date", "dc.date", "dc.date.issued", "pubdate", "parsely-pub-date")) ??
      date(document.querySelector("time[pubdate], article time[datetime]")?.getAttribute("datetime")),
    modified:
      date(linked.dateModified) ??
      date(meta("article:modified_time", "og:updated_time", "last-modified", "dc.date.modified")),
    canonical: ownAddress(
      document.querySelector('link[rel~="canonical"]')?.getAttribute("href") ?? meta("og:url"),
      baseUrl,
    ),
    language: line(document.documentElement?.getAttribute("lang")),
  };
}

function metaContent(document: FactDocument, names: readonly string[]): string | undefined {
  for (const name of names)
    for (const attribute of ["property", "name", "itemprop"]) {
      const content = document.querySelector(`meta[${attribute}="${name}" i]`)?.getAttribute("content")?.trim();
      if (content) return content;
    }
  return undefined;
}

interface LinkedData {
  readonly headline?: unknown;
  readonly author?: unknown;
  readonly datePublished?: unknown;
  readonly dateModified?: unknown;
}

/** The first entry of the page's JSON-LD that has a date, an author or a headline. */
function readJsonLd(document: FactDocument): LinkedData {
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    const text = script.textContent ?? "";
    if (text.length > MAX_JSON_LD) continue;
    try {
      const parsed: unknown = JSON.parse(text);
      const graph = isObject(parsed) && Array.isArray(parsed["@graph"]) ? parsed["@graph"] : parsed;
      const found = (Array.isArray(graph) ? graph : [graph]).find(
        (each) => isObject(each) && ("datePublished" in each || "headline" in each || "author" in each),
      );
      if (isObject(found)) return found;
    } catch {
      // Invalid JSON-LD is common and is ignored.
    }
  }
  return {};
}

function nameOf(author: unknown): string | undefined {
  if (typeof author === "string") return author;
  if (Array.isArray(author)) return author.slice(0, 10).map(nameOf).filter(Boolean).join(", ");
  return isObject(author) && typeof author.name === "string" ? author.name : undefined;
}

function line(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const text = value
    .slice(0, 4 * MAX_FACT_LENGTH)
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim();
  return text === "" ? undefined : text.slice(0, MAX_FACT_LENGTH).toWellFormed();
}

function date(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 60 || !/\d{4}/.test(value)) return undefined;
  const time = Date.parse(value.trim());
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function ownAddress(href: string | undefined | null, baseUrl: string | undefined): string | undefined {
  const url = href ? URL.parse(href, baseUrl) : null;
  const base = baseUrl === undefined ? null : URL.parse(baseUrl);
  if (url === null || base === null || url.host !== base.host || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href.length > 2_000 ? undefined : url.href;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

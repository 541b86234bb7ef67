/**
 * The ids a text cites, in first-seen order without repeats.
 *
 * In Markdown these are tokens. HTML: tokens and `<sup class="cite" data-sids="…">`, in the order of the text. JSON and
 * YAML: `citations[].sids` of the top-level mapping; text that is not valid JSON, or has no such list, cites nothing.
 * An id in `sids` is a whole number of at most 9 digits, or a string of such digits.
 *
 * A few characters can name a thousand ids, so a hostile text could ask for more ids than fit in memory: at most the
 * first 1,000,000 different ids are returned.
 */
import { isJsonObject, parseJsonObject } from "../base/json.ts";
import { type CitationFormat, checkFormat, checkText } from "./citation-format.ts";
import { findHtmlCites } from "./html-cites.ts";
import { type IdRange, MAX_TOKEN_IDS, TokenScanner } from "./token-scanner.ts";
import { readYamlCitations } from "./yaml-citations.ts";

const MAX_EXTRACTED_IDS = 1_000_000;

/**
 * @example
 * extractCitations("x [[S:3]] y [[s: 1, 3-4 ]] z [S:9]", "markdown"); // [3, 1, 4]
 */
export function extractCitations(text: string, format: CitationFormat): number[] {
  checkFormat(format);
  checkText(text);
  const seen = new Set<number>();
  switch (format) {
    case "markdown":
      new TokenScanner().scan(text, (_start, _end, ranges) => addRanges(seen, ranges));
      break;
    case "html":
      addHtml(seen, text);
      break;
    case "json":
      addCitationList(seen, parseJsonObject(text.replace(/^\ufeff/, ""))?.citations);
      break;
    case "yaml":
      addCitationList(seen, readYamlCitations(text));
      break;
  }
  return [...seen];
}

function addHtml(seen: Set<number>, text: string): void {
  const cites = findHtmlCites(text);
  let next = cites.next();
  const addUpTo = (position: number): void => {
    for (; !next.done && next.value.start < position; next = cites.next()) addRanges(seen, listedIds(next.value.sids));
  };
  new TokenScanner().scan(text, (start, _end, ranges) => {
    addUpTo(start);
    addRanges(seen, ranges);
  });
  addUpTo(Number.POSITIVE_INFINITY);
}

const LISTED_ITEM = /^(\d{1,9})(?:[-–](\d{1,9}))?$/;

/** The items of a `data-sids` attribute. An item that is not an id or a range of at most 1,000 ids is skipped. */
function* listedIds(list: string): Generator<IdRange> {
  for (const item of list.split(",")) {
    const match = LISTED_ITEM.exec(item.trim());
    if (match === null) continue;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    const lo = Math.min(first, last);
    const hi = Math.max(first, last);
    if (hi - lo < MAX_TOKEN_IDS) yield { lo, hi };
  }
}

function addCitationList(seen: Set<number>, citations: unknown): void {
  if (!Array.isArray(citations)) return;
  for (const citation of citations as readonly unknown[]) {
    if (!isJsonObject(citation) || !Array.isArray(citation.sids)) continue;
    for (const value of citation.sids as readonly unknown[]) {
      const sid = parseSid(value);
      if (sid !== null && seen.size < MAX_EXTRACTED_IDS) seen.add(sid);
    }
  }
}

function parseSid(value: unknown): number | null {
  if (typeof value === "string") return /^\d{1,9}$/.test(value) ? Number(value) : null;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value >= 1e9) return null;
  return Math.abs(value); // JSON can contain -0, which is written as 0.
}

function addRanges(seen: Set<number>, ranges: Iterable<IdRange>): void {
  for (const { lo, hi } of ranges) {
    for (let sid = lo; sid <= hi; sid++) {
      if (seen.size >= MAX_EXTRACTED_IDS) return;
      seen.add(sid);
    }
  }
}

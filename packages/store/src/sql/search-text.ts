/**
 * From text to what the full-text index sees, and from whatever a person typed to a query that cannot be wrong.
 *
 * The index splits text at everything that is neither letter nor digit. Scripts written without spaces would become
 * one long word per line, so their characters are indexed one by one and searched as phrases. Characters that can be
 * spelled in several ways (composed or not, wide, as a ligature) are brought to one spelling, NFKC.
 */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const EVERY_SPACELESS = new RegExp(SPACELESS.source, "gu");

/** A word as the index knows words; marks alone are none. */
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;

const LONGEST_QUERY = 2_000;
const MOST_WORDS = 32;

export function searchText(text: string): string {
  const wellFormed = text.toWellFormed().normalize("NFKC");
  return SPACELESS.test(wellFormed) ? wellFormed.replace(EVERY_SPACELESS, " $& ") : wellFormed;
}

/** The words of a query, in order, at most 32 of its first 2,000 characters. */
export function queryWords(query: string): string[] {
  const text = query.slice(0, LONGEST_QUERY).toWellFormed().normalize("NFKC");
  return (text.match(WORD) ?? []).slice(0, MOST_WORDS);
}

/** The first words of a text, none of them cut. */
export function wholeWords(text: string): string[] {
  const words = queryWords(text);
  return text.length > LONGEST_QUERY ? words.slice(0, -1) : words;
}

/**
 * The query for the index: all words, the last one as a beginning, within one scope or conversation. Only words reach
 * it, each quoted, so that no operator of the query language can come from outside.
 */
export function matchExpression(words: readonly string[], scopeToken: string): string {
  return `{scope} : "${scopeToken}" AND {text} : (${phrasesOf(words)} *)`;
}

/** As `matchExpression`, with every word whole; without words, the scope alone. */
export function matchWords(words: readonly string[], scopeTokens: string): string {
  const scope = `{scope} : "${scopeTokens}"`;
  return words.length === 0 ? scope : `${scope} AND {text} : (${phrasesOf(words)})`;
}

function phrasesOf(words: readonly string[]): string {
  return words.map((word) => `"${searchText(word).trim()}"`).join(" AND ");
}

const EXCERPT = 240;
const LEAD = 60;

/** Plain text around the first word that is found, else the beginning; never half a character. */
export function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  // Lower-casing can change the length of some texts; then positions would not fit and the beginning is shown.
  const at = lower.length === text.length ? firstOf(lower, words) : 0;
  const start = at <= LEAD ? 0 : at - LEAD;
  const cut = text.slice(start, start + EXCERPT);
  return cut.toWellFormed().replace(/^\uFFFD|\uFFFD$/g, "");
}

function firstOf(lower: string, words: readonly string[]): number {
  for (const word of words) {
    const at = lower.indexOf(word.toLowerCase());
    if (at >= 0) return at;
  }
  return 0;
}

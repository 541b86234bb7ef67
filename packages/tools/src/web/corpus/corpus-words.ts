/**
 * Text and queries as the index sees them. Scripts without spaces are indexed character by character and searched as
 * phrases. Only quoted words of a query reach the index, so no operator can be injected. A passage need not contain all
 * words of the query; passages with more words, and rarer ones, come first.
 */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const EVERY_SPACELESS = new RegExp(SPACELESS.source, "gu");
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const MAX_WORDS = 40;

/** Words so common that they match everything. A query ignores them when it has other words. */
const COMMON = new Set(
  "a an and are as at be by can do does for from has have how i in is it its of on or that the this to was what when where which who why will with you".split(
    " ",
  ),
);

export function indexedText(text: string): string {
  return SPACELESS.test(text) ? text.replace(EVERY_SPACELESS, " $& ") : text;
}

export function matchExpression(query: string): string | null {
  const words = [...new Set(query.toLowerCase().match(WORD) ?? [])];
  const telling = words.filter((word) => !COMMON.has(word));
  const used = (telling.length === 0 ? words : telling).slice(0, MAX_WORDS);
  if (used.length === 0) return null;
  return used.map((word) => `"${indexedText(word).replace(/\s+/g, " ").trim()}"`).join(" OR ");
}

/** The part of a text that best shows why it was found, as plain text. The excerpt never splits a character. */
import type { QueryGroup } from "./analyse.ts";
import { withoutMarks } from "./fold.ts";
import { languagesOf } from "./stem/languages.ts";
import { DERIVED, pairsOf, wordOf } from "./words.ts";

const EXCERPT_CHARS = 240;

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** Characters of a long text that are analysed, around the first occurrence of one of the words. */
const LOOKED_AT = 20_000;

interface Match {
  readonly start: number;
  readonly end: number;
  readonly group: number;
}

/** `weights`: the importance of each group of terms (default: equal). */
export function excerptOf(
  text: string,
  groups: readonly QueryGroup[],
  weights: readonly number[] = [],
  chars = EXCERPT_CHARS,
): string {
  if (text.length <= chars) return text.toWellFormed();
  const from = text.length <= LOOKED_AT ? 0 : Math.max(0, firstPlace(text, groups, weights) - LOOKED_AT / 2);
  const part = text.slice(from, from + LOOKED_AT);
  const start = from + bestStart(matchesIn(part, groups), weights, chars);
  return cutAt(text, Math.min(start, text.length - chars), chars);
}

/** The start of the window with the most important groups of terms, with some text before the first match. */
function bestStart(matches: readonly Match[], weights: readonly number[], chars: number): number {
  const lead = Math.floor(chars / 4);
  let best = { start: 0, weight: 0 };
  for (const [nth, { start }] of matches.entries()) {
    const inside = new Set<number>();
    for (let at = nth; at < matches.length; at++) {
      const match = matches[at];
      if (match === undefined || match.end > start + chars - lead) break;
      inside.add(match.group);
    }
    const weight = [...inside].reduce((sum, group) => sum + (weights[group] ?? 1), 0);
    if (weight > best.weight) best = { start: Math.max(0, start - lead), weight };
  }
  return best.start;
}

function matchesIn(text: string, groups: readonly QueryGroup[]): Match[] {
  const tokens = [...text.matchAll(WORD)].map(({ 0: raw, index }) => {
    return { word: wordOf(withoutMarks(raw)), start: index, end: index + raw.length };
  });
  const languages = languagesOf(tokens.map(({ word }) => word));
  const groupOf = new Map<string, number>();
  for (const [nth, { alternatives }] of groups.entries())
    for (const term of alternatives.flat()) groupOf.set(term.replace(DERIVED, ""), nth);
  const prefixes = groups.flatMap(({ prefix }, group) => (prefix === undefined ? [] : [{ prefix, group }]));
  return tokens.flatMap(({ word, start, end }) => {
    const terms = word.isSpaceless ? pairsOf(word.text) : [word.text, ...word.stems(languages), ...word.parts];
    const begun = prefixes.find(({ prefix }) => word.text.includes(prefix))?.group;
    const found = new Set([...terms.map((term) => groupOf.get(term)), begun]);
    return [...found].flatMap((group) => (group === undefined ? [] : [{ start, end, group }]));
  });
}

/** A fast search for long texts: where the most important word occurs as written in the query. */
function firstPlace(text: string, groups: readonly QueryGroup[], weights: readonly number[]): number {
  const lower = text.toLowerCase();
  // In some texts, lower case changes the length. Positions would then be wrong, so the beginning is shown.
  if (lower.length !== text.length) return 0;
  const order = [...groups.keys()].sort((a, b) => (weights[b] ?? 1) - (weights[a] ?? 1));
  for (const nth of order) {
    const { alternatives, prefix } = groups[nth] ?? { alternatives: [] };
    for (const term of [...alternatives.flat(), ...(prefix === undefined ? [] : [prefix])]) {
      const at = lower.indexOf(term.replace(DERIVED, ""));
      if (at >= 0) return at;
    }
  }
  return 0;
}

function cutAt(text: string, start: number, chars: number): string {
  return text
    .slice(start, start + chars)
    .toWellFormed()
    .replace(/^\uFFFD|\uFFFD$/g, "");
}

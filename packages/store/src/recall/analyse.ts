/**
 * Converts text to terms: those that the search index stores for a text, and those that a query looks for.
 *
 * Every word is a term, without case and accents. In addition there are derived terms: stems, the parts and the whole
 * of an identifier, numbers and dates in one spelling. A derived term ends in a mark, so that a search for exact words
 * does not match stems. A stem that equals its word is not stored twice: a search for a stem looks for both terms,
 * which are adjacent in the index.
 */
import { compoundsIn } from "./compounds.ts";
import { datesIn } from "./dates.ts";
import { languagesOf } from "./stem/languages.ts";
import { type Tokens, tokensOf } from "./tokens.ts";
import { DERIVED, pairsOf, type Word, wordOf } from "./words.ts";

export interface AnalysedText {
  /** The terms and the number of their occurrences. A term may be listed several times; its counts are summed. */
  readonly terms: readonly string[];
  readonly counts: readonly number[];
  readonly length: number;
}

/** One thing that a query looks for: a text that contains one of the terms, or one that begins with `prefix`. */
export interface QueryGroup {
  readonly alternatives: readonly (readonly string[])[];
  readonly prefix?: string;
}

const MAX_QUERY_LENGTH = 2_000;
const MAX_GROUPS = 64;
/** The endings of `it's`, `don't` and `we'll` after the apostrophe. */
const CLITICS = new Set(["s", "t", "d", "m", "ll", "re", "ve"]);

export function analyseText(text: string): AnalysedText {
  const tokens = tokensOf(text);
  const languages = languagesOf(tokens.words);
  const terms: string[] = [];
  const counts: number[] = [];
  let length = 0;
  for (const word of distinct(tokens.words)) {
    const own = word.terms(languages);
    length += word.isSpaceless ? own.length * word.count : word.count;
    for (const term of own) {
      terms.push(term);
      counts.push(word.count);
    }
  }
  for (const whole of wholesIn(tokens)) {
    terms.push(whole + DERIVED);
    counts.push(1);
  }
  return { terms, counts, length };
}

export function countTerms({ terms, counts }: AnalysedText): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [nth, term] of terms.entries()) sums.set(term, (sums.get(term) ?? 0) + (counts[nth] ?? 0));
  return sums;
}

let rounds = 0;

/** Returns each word once, with its `count`. With maps, this function would take most of the indexing time. */
function distinct(words: readonly Word[]): Word[] {
  const found: Word[] = [];
  rounds++;
  for (const word of words) {
    if (word.counted === rounds) word.count++;
    else {
      word.counted = rounds;
      word.count = 1;
      found.push(word);
    }
  }
  return found;
}

function wholesIn(tokens: Tokens): string[] {
  return [...compoundsIn(tokens), ...datesIn(tokens)];
}

/** The groups that a ranked search looks for; any of them may match. */
export function analyseQuery(query: string): QueryGroup[] {
  const tokens = tokensOf(query.slice(0, MAX_QUERY_LENGTH));
  const languages = languagesOf(tokens.words);
  const groups = new Map<string, QueryGroup>();
  const add = (key: string, group: QueryGroup) => {
    if (groups.size < MAX_GROUPS && !groups.has(key)) groups.set(key, group);
  };
  const addTerm = (term: string) => add(term, { alternatives: [eitherTerm(term)] });
  for (const [nth, word] of tokens.words.entries()) {
    const { text } = word;
    const joint = tokens.joints[nth] ?? "";
    if ((joint === "'" || joint === "’") && CLITICS.has(text)) continue;
    if (word.isSpaceless) {
      const pairs = pairsOf(text);
      if (pairs.length === 1) add(text, { alternatives: [], prefix: text });
      for (const pair of pairs.slice(0, -1)) add(pair, { alternatives: [[pair]] });
      continue;
    }
    const stems = word.stems(languages);
    add(stems.join(" "), { alternatives: [...new Set([...stems, text])].map(eitherTerm) });
    for (const part of word.parts) for (const stem of wordOf(part).stems(languages)) addTerm(stem);
  }
  for (const whole of wholesIn(tokens)) addTerm(whole);
  return [...groups.values()];
}

function eitherTerm(stem: string): string[] {
  return [stem, stem + DERIVED];
}

/**
 * From text to terms: what the search index keeps of a text, and what it is asked for.
 *
 * Every word is a term as it was written, without case and accents. Beside it stand derived terms: stems, the parts and
 * the whole of an identifier, numbers and dates in one spelling. A derived term ends in a mark, so that a list that
 * wants the words themselves is not answered with their stems. A stem that is the word itself is not kept twice: who
 * looks for a stem looks for both terms, which stand side by side in the index.
 */
import { compoundsIn } from "./compounds.ts";
import { datesIn } from "./dates.ts";
import { WordForms } from "./stem/language.ts";
import { pairsOf, type Token, tokensOf } from "./tokens.ts";

/** Behind every letter and digit a word can end with, and before any longer word. */
export const DERIVED = "\u0001";

export interface AnalysedText {
  /** How often each term occurs. */
  readonly terms: ReadonlyMap<string, number>;
  /** Number of words. */
  readonly length: number;
}

/** One thing a query asks for. A text has it when it has one of the terms, or one that begins with `prefix`. */
export interface QueryGroup {
  readonly alternatives: readonly (readonly string[])[];
  readonly prefix?: string;
}

const LONGEST_QUERY = 2_000;
const MOST_GROUPS = 64;
const HANGUL = /^\p{Script=Hangul}{2,}$/u;
/** What is left of `it's`, `don't`, `we'll` behind the apostrophe. */
const CLITICS = new Set(["s", "t", "d", "m", "ll", "re", "ve"]);

export function analyseText(text: string): AnalysedText {
  const tokens = tokensOf(text);
  const terms = new Map<string, number>();
  const add = (term: string) => terms.set(term, (terms.get(term) ?? 0) + 1);
  let length = 0;
  const forms = new WordForms(tokens.map(({ word }) => word));
  for (const { word, spaceless } of tokens) {
    const exact = spaceless ? pairsOf(word) : [word];
    length += exact.length;
    for (const term of exact) add(term);
    if (spaceless) continue;
    for (const stem of HANGUL.test(word) ? syllablePairs(word) : forms.stems(word))
      if (stem !== word) add(stem + DERIVED);
  }
  for (const derived of derivedOf(tokens, forms)) add(derived + DERIVED);
  return { terms, length };
}

function derivedOf(tokens: readonly Token[], forms: WordForms): string[] {
  const { wholes, parts } = compoundsIn(tokens);
  return [...wholes, ...parts.flatMap((part) => forms.stems(part)), ...datesIn(tokens)];
}

function syllablePairs(word: string): string[] {
  return pairsOf(word).slice(0, -1);
}

/** What a ranked search looks for: any of the groups. */
export function analyseQuery(query: string): QueryGroup[] {
  const tokens = tokensOf(query.slice(0, LONGEST_QUERY));
  const telling = tokens.filter(({ word, joint }) => !((joint === "'" || joint === "’") && CLITICS.has(word)));
  const forms = new WordForms(tokens.map(({ word }) => word));
  const groups = new Map<string, QueryGroup>();
  const add = (key: string, group: QueryGroup) => {
    if (groups.size < MOST_GROUPS && !groups.has(key)) groups.set(key, group);
  };
  for (const { word, spaceless } of telling) {
    if (spaceless) {
      const pairs = pairsOf(word);
      if (pairs.length === 1) add(word, { alternatives: [], prefix: word });
      for (const pair of pairs.slice(0, -1)) add(pair, { alternatives: [[pair]] });
    } else {
      const stems = forms.stems(word);
      add(stems.join(" "), { alternatives: [...new Set([...stems, word])].map(eitherTerm) });
      if (HANGUL.test(word)) for (const pair of syllablePairs(word)) add(pair, { alternatives: [eitherTerm(pair)] });
    }
  }
  for (const derived of derivedOf(tokens, forms)) add(derived, { alternatives: [eitherTerm(derived)] });
  return [...groups.values()];
}

function eitherTerm(stem: string): string[] {
  return [stem, stem + DERIVED];
}

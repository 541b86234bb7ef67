/**
 * A query for lists: every word must occur, and the last one may be begun only. Case, accents and the spelling of a
 * character do not matter; forms of a word do.
 */
import { fold } from "./fold.ts";
import { tokensOf } from "./tokens.ts";
import { pairsOf, type Word } from "./words.ts";

const LONGEST_QUERY = 2_000;
const MOST_WORDS = 32;

export interface AllWords {
  /** Terms a text must have; a `prefix` is met by any word that begins so. */
  readonly conditions: readonly ({ readonly term: string } | { readonly prefix: string })[];
  /** What was written as one run of a script without spaces must stand in the text as one run. */
  readonly runs: readonly string[];
}

/** Null when the query has no word. */
export function allWordsOf(query: string): AllWords | null {
  const words = tokensOf(query.slice(0, LONGEST_QUERY)).words.slice(0, MOST_WORDS);
  if (words.length === 0) return null;
  const conditions = words.flatMap((word, nth) => conditionsOf(word, nth === words.length - 1));
  const runs = words.filter(({ isSpaceless }) => isSpaceless).map(({ text }) => text);
  return { conditions, runs: [...new Set(runs)] };
}

function conditionsOf({ text, isSpaceless }: Word, mayBeBegun: boolean): AllWords["conditions"] {
  if (!isSpaceless) return [mayBeBegun ? { prefix: text } : { term: text }];
  const pairs = pairsOf(text);
  return pairs.length === 1 ? [{ prefix: text }] : pairs.slice(0, -1).map((term) => ({ term }));
}

/** Whether a text that has the terms has the runs. */
export function hasRuns(text: string, { runs }: AllWords): boolean {
  if (runs.length === 0) return true;
  const folded = fold(text);
  return runs.every((run) => folded.includes(run));
}

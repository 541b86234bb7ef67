/** A query for lists: every word must occur in this form; the last may be incomplete. Case and accents are ignored. */
import { fold } from "./fold.ts";
import { tokensOf } from "./tokens.ts";
import { pairsOf, type Word } from "./words.ts";

const MAX_QUERY_LENGTH = 2_000;
const MAX_WORDS = 32;

export interface AllWords {
  /** Terms that a text must contain; any word that begins with a `prefix` matches it. */
  readonly conditions: readonly ({ readonly term: string } | { readonly prefix: string })[];
  /** Runs of a script without spaces, each of which must occur in the text as one run. */
  readonly runs: readonly string[];
}

export function allWordsOf(query: string): AllWords | null {
  const words = tokensOf(query.slice(0, MAX_QUERY_LENGTH)).words.slice(0, MAX_WORDS);
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

/** Whether a text that contains the terms also contains the runs. */
export function hasRuns(text: string, { runs }: AllWords): boolean {
  if (runs.length === 0) return true;
  const folded = fold(text);
  return runs.every((run) => folded.includes(run));
}

/** Finds the texts of a scope for a query, in order, before any of them is read. */
import { type AllWords, allWordsOf } from "../../recall/all-words.ts";
import { analyseQuery, type QueryGroup } from "../../recall/analyse.ts";
import { type Postings, type RankedText, Ranking } from "../../recall/rank.ts";
import { DERIVED } from "../../recall/words.ts";
import type { SqlDatabase } from "../sql-database.ts";
import type { Work } from "../work.ts";
import { readTerms, type TermLists } from "./read-terms.ts";
import type { ScopeTexts } from "./scope-texts.ts";

export interface FoundTexts {
  readonly first: (count: number) => readonly RankedText[];
  /** The groups of the query and their weights, which excerpts need. */
  readonly groups: readonly QueryGroup[];
  readonly weights: readonly number[];
  /** Conditions that can be checked only in the text itself. */
  readonly words: AllWords | null;
}

type Accepts = (text: number) => boolean;

/** Finds texts with at least one of the words, best match first. */
export function* findRanked(db: SqlDatabase, texts: ScopeTexts, query: string, accepts: Accepts): Work<FoundTexts> {
  const groups = analyseQuery(query);
  const terms = new Set(groups.flatMap(({ alternatives }) => alternatives.flat()));
  const prefixes = groups.flatMap(({ prefix }) => prefix ?? []);
  const lists = yield* readTerms(db, texts, terms, prefixes);
  const ranking = new Ranking(groups, texts, ({ alternatives, prefix }) => [
    ...alternatives.map((either) => either.flatMap((term) => lists.get(term) ?? [])),
    ...(prefix === undefined ? [] : [beginning(lists, prefix)]),
  ]);
  return { first: (count) => ranking.best(count, accepts), groups, weights: ranking.weights, words: null };
}

/** Finds texts with all of the words, newest first. */
export function* findAll(db: SqlDatabase, texts: ScopeTexts, query: string, accepts: Accepts): Work<FoundTexts> {
  const words = allWordsOf(query);
  const { conditions } = words ?? { conditions: [] };
  const terms = new Set(conditions.flatMap((each) => ("term" in each ? each.term : [])));
  const prefixes = conditions.flatMap((each) => ("prefix" in each ? each.prefix : []));
  const lists = yield* readTerms(db, texts, terms, prefixes);
  const met = new Uint32Array(texts.count);
  for (const [nth, each] of conditions.entries())
    for (const { texts: held } of "term" in each ? (lists.get(each.term) ?? []) : beginning(lists, each.prefix))
      for (let at = 0; at < held.length; at++) {
        const text = held[at] ?? 0;
        // A text that misses one condition is dropped.
        if (met[text] === nth) met[text] = nth + 1;
      }
  const found: number[] = [];
  if (words !== null)
    for (const [text, count] of met.entries()) if (count === conditions.length && accepts(text)) found.push(text);
  found.sort((a, b) => (texts.events[b] ?? 0) - (texts.events[a] ?? 0));
  const groups = conditions.map((each) =>
    "term" in each ? { alternatives: [[each.term]] } : { alternatives: [], prefix: each.prefix },
  );
  const first = (count: number) => found.slice(0, count).map((text) => ({ text, score: 0 }));
  return { first, groups, weights: [], words };
}

/** Texts with a word that begins with `prefix`. Derived terms, such as stems, do not count. */
function beginning(lists: TermLists, prefix: string): readonly Postings[] {
  return [...lists].flatMap(([term, postings]) => (term.startsWith(prefix) && !term.endsWith(DERIVED) ? postings : []));
}

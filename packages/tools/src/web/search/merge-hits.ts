/**
 * Hits of several queries as one list, each page once.
 *
 * Two hits are the same page when the pool treats them as one source (the same normalised URL); the longer title and
 * text are kept. A page scores `1 / (60 + rank)` for every query that found it, so that a page found by several queries
 * comes before the best page of one query; words that a page shares with the objective add at most half the score of a
 * first place. Equal scores keep the order in which they were found.
 */
import { mergeSources } from "@cairn/timeline";
import type { SearchHit } from "./search-provider.ts";

export interface RankedHit extends SearchHit {
  /** The page's best rank in the result of any query, from 1. */
  readonly provider_rank: number;
  readonly score: number;
}

const SMOOTHING = 60;
const WORD = /[\p{L}\p{N}]{3,}/gu;

export function mergeHits(
  answers: readonly (readonly SearchHit[])[],
  objective: string | undefined,
  n: number,
): RankedHit[] {
  const found: { hit: SearchHit; rank: number; score: number }[] = [];
  const placed = answers.flatMap((hits) => hits.map((hit, at) => ({ hit, rank: at + 1 })));
  // Uses the pool's own definition of a source: equal rows get one number.
  const { sids } = mergeSources(
    [],
    placed.map(({ hit }) => ({ source_type: "web", url: hit.url })),
  );
  for (const [at, { hit, rank }] of placed.entries()) {
    const nth = (sids[at] ?? 0) - 1;
    const before = found[nth];
    const score = (before?.score ?? 0) + 1 / (SMOOTHING + rank);
    found[nth] =
      before === undefined
        ? { hit, rank, score }
        : { hit: combine(before.hit, hit), rank: Math.min(before.rank, rank), score };
  }
  const wanted = new Set(wordsOf(objective ?? ""));
  return found
    .map(({ hit, rank, score }) => ({ ...hit, provider_rank: rank, score: score + bonus(hit, wanted) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, n);
}

function combine(a: SearchHit, b: SearchHit): SearchHit {
  const longer = (x: string, y: string) => (y.length > x.length ? y : x);
  return {
    ...b,
    ...withoutUndefined(a),
    url: a.url,
    title: longer(a.title, b.title),
    text: longer(a.text, b.text),
    content: longer(a.content ?? "", b.content ?? "") || undefined,
  };
}

function withoutUndefined(hit: SearchHit): Partial<SearchHit> {
  return Object.fromEntries(Object.entries(hit).filter(([, value]) => value !== undefined));
}

function bonus(hit: SearchHit, wanted: ReadonlySet<string>): number {
  if (wanted.size === 0) return 0;
  const words = new Set(wordsOf(`${hit.title} ${hit.text}`));
  const shared = [...wanted].filter((word) => words.has(word)).length;
  return (shared / wanted.size) * (0.5 / (SMOOTHING + 1));
}

function wordsOf(text: string): string[] {
  return text.slice(0, 4_000).toLowerCase().match(WORD) ?? [];
}

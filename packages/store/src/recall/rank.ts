/**
 * Ranking: which of the texts that have something of a query come first. Pure; every back end ranks by it.
 *
 * - A term counts by how rare it is among the texts of the scope, squared: as in the vector model, a rare word says more
 *   both about the query and about the text. Words of other scopes are never looked at.
 * - A term that occurs again in a text counts less each time, and less in a long text than in a short one (BM25, with
 *   the usual k1 and a b between short messages and long documents).
 * - A message that matches lends half of its score to the messages beside it, a quarter to those one further: the answer
 *   often stands next to what has the words of the question.
 * - Of texts that score the same, the newest comes first.
 */
import type { QueryGroup } from "./analyse.ts";

/** The texts of a scope, numbered from 0. */
export interface RankedTexts {
  readonly count: number;
  /** Number of words in all of them. */
  readonly words: number;
  length(text: number): number;
  /** Negative when `a` is newer than `b`. */
  byAge(a: number, b: number): number;
  /** The message behind this one in its conversation, or with `step` -1 the one before; -1 when there is none. */
  messageBeside(text: number, step: 1 | -1): number;
}

export interface Postings {
  readonly texts: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** Where a group's terms occur: one list for each of its alternatives. */
export type PostingsOf = (group: QueryGroup) => readonly (readonly Postings[])[];

export interface RankedText {
  readonly text: number;
  readonly score: number;
}

const K1 = 1;
const B = 0.5;
const LENT = [0.5, 0.25] as const;

export interface Ranking {
  /** The best first. */
  readonly found: readonly RankedText[];
  /** How much each group of the query tells. */
  readonly weights: readonly number[];
}

/** `accepts` says which texts may be found; the others still count and lend. */
export function rankTexts(
  groups: readonly QueryGroup[],
  texts: RankedTexts,
  postingsOf: PostingsOf,
  accepts: (text: number) => boolean = () => true,
): Ranking {
  const own = new Float64Array(texts.count);
  const counter = new Counter(texts.count);
  const weights = groups.map((group) => addScores(own, texts, counter, postingsOf(group)));
  const lifted = lend(own, texts);
  const found: RankedText[] = [];
  for (let text = 0; text < lifted.length; text++) {
    const score = lifted[text] ?? 0;
    if (score > 0 && accepts(text)) found.push({ text, score });
  }
  found.sort((a, b) => b.score - a.score || texts.byAge(a.text, b.text));
  return { found, weights };
}

/** Gives how much the group tells. */
function addScores(
  scores: Float64Array,
  texts: RankedTexts,
  counter: Counter,
  alternatives: readonly (readonly Postings[])[],
): number {
  const { found, counts } = counter.count(alternatives);
  const average = texts.words / Math.max(1, texts.count);
  const rarity = Math.log(1 + (texts.count - found.length + 0.5) / (found.length + 0.5)) ** 2;
  for (const text of found) {
    const count = counts[text] ?? 0;
    const norm = K1 * (1 - B + (B * texts.length(text)) / average);
    scores[text] = (scores[text] ?? 0) + (rarity * count * (K1 + 1)) / (count + norm);
  }
  counter.clear();
  return rarity;
}

/** Adds up lists of occurrences, in arrays that are made once for a query. */
class Counter {
  readonly #sums: Uint32Array;
  readonly #most: Uint32Array;
  #found: number[] = [];

  constructor(size: number) {
    this.#sums = new Uint32Array(size);
    this.#most = new Uint32Array(size);
  }

  /** How often each text has what is asked for: of several ways to read a word, the one it has most of. */
  count(alternatives: readonly (readonly Postings[])[]): {
    readonly found: readonly number[];
    readonly counts: Uint32Array;
  } {
    for (const lists of alternatives) {
      for (const { texts, counts } of lists)
        for (let nth = 0; nth < texts.length; nth++) {
          const text = texts[nth] ?? 0;
          this.#sums[text] = (this.#sums[text] ?? 0) + (counts[nth] ?? 0);
        }
      for (const { texts } of lists)
        for (let nth = 0; nth < texts.length; nth++) {
          const text = texts[nth] ?? 0;
          const sum = this.#sums[text] ?? 0;
          this.#sums[text] = 0;
          if (sum === 0) continue;
          const most = this.#most[text] ?? 0;
          if (most === 0) this.#found.push(text);
          if (sum > most) this.#most[text] = sum;
        }
    }
    return { found: this.#found, counts: this.#most };
  }

  clear(): void {
    for (const text of this.#found) this.#most[text] = 0;
    this.#found = [];
  }
}

/**
 * Each text is lent to by at most four others. Their shares are kept apart and added in one order, so that the sum does
 * not depend on how the texts are numbered.
 */
function lend(scores: Float64Array, texts: RankedTexts): Float64Array {
  const lent = [1, -1].flatMap(() => LENT.map(() => new Float64Array(scores.length)));
  for (let text = 0; text < scores.length; text++) {
    const score = scores[text] ?? 0;
    if (score === 0) continue;
    for (const step of [1, -1] as const) {
      let beside = text;
      for (const [distance, share] of LENT.entries()) {
        beside = texts.messageBeside(beside, step);
        if (beside < 0) break;
        const shares = lent[step === 1 ? distance : LENT.length + distance];
        if (shares !== undefined) shares[beside] = share * score;
      }
    }
  }
  return scores.map((score, text) => lent.reduce((sum, shares) => sum + (shares[text] ?? 0), score));
}

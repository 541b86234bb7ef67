/**
 * Ranking of the texts that match a query. Pure; every back end uses it.
 *
 * - A term is weighted by the square of its rarity among the texts of the scope: as in the vector model, a rare word
 *   says more about both the query and the text. Other scopes have no influence.
 * - Repeated occurrences in a text count less each time, and less in a long text than in a short one (BM25, with the
 *   usual k1 and b).
 * - A matching message passes half of its score to its neighbours and a quarter to the next ones, because an answer
 *   often follows the message that contains the words of the question.
 * - Texts with equal scores are sorted newest first.
 */
import type { QueryGroup } from "./analyse.ts";

/** The texts of a scope, numbered from 0. */
export interface RankedTexts {
  readonly count: number;
  /** Total number of words, and the number of words of each text. */
  readonly words: number;
  readonly lengths: ArrayLike<number>;
  /** The next message in the conversation for each message, and the previous one; -1 if there is none. */
  readonly next: ArrayLike<number>;
  readonly previous: ArrayLike<number>;
  /** Compares the ages of two texts: negative when `a` is newer than `b`. */
  byAge(a: number, b: number): number;
}

export interface Postings {
  readonly texts: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
}

/** The occurrences of a group's terms: one list for each alternative. */
export type PostingsOf = (group: QueryGroup) => readonly (readonly Postings[])[];

export interface RankedText {
  readonly text: number;
  readonly score: number;
}

const K1 = 1.2;
const B = 0.75;
const LENT_BESIDE = 0.5;
const LENT_FURTHER = 0.25;

export class Ranking {
  readonly weights: readonly number[];
  readonly #texts: RankedTexts;
  readonly #scores: Float64Array;

  constructor(groups: readonly QueryGroup[], texts: RankedTexts, postingsOf: PostingsOf) {
    this.#texts = texts;
    const own = new Float64Array(texts.count);
    const counter = new Counter(texts.count);
    this.weights = groups.map((group) => addScores(own, texts, counter, postingsOf(group)));
    this.#scores = lend(own, texts);
  }

  /** The best `count` texts, in order. Texts that `accepts` rejects still contribute to scores. */
  best(count: number, accepts: (text: number) => boolean = () => true): RankedText[] {
    const scores = this.#scores;
    const isBefore = (a: number, b: number) =>
      (scores[a] ?? 0) > (scores[b] ?? 0) || (scores[a] === scores[b] && this.#texts.byAge(a, b) < 0);
    const best = new BestOf(count, isBefore);
    let least = 0;
    for (let text = 0; text < scores.length; text++) {
      const score = scores[text] ?? 0;
      if (score === 0 || score < least || !accepts(text)) continue;
      const last = best.add(text);
      if (last >= 0) least = scores[last] ?? 0;
    }
    return best.inOrder().map((text) => ({ text, score: scores[text] ?? 0 }));
  }
}

/** A heap with the worst of the best texts on top, so that it is dropped first. */
class BestOf {
  readonly #heap: number[] = [];
  readonly #count: number;
  readonly #isBefore: (a: number, b: number) => boolean;

  constructor(count: number, isBefore: (a: number, b: number) => boolean) {
    this.#count = count;
    this.#isBefore = isBefore;
  }

  /** Returns the worst of the best texts once `count` texts are found; -1 before. */
  add(text: number): number {
    const heap = this.#heap;
    if (heap.length < this.#count) {
      heap.push(text);
      this.#rise();
    } else if (this.#isBefore(text, heap[0] ?? -1)) {
      heap[0] = text;
      this.#sink();
    }
    return heap.length < this.#count ? -1 : (heap[0] ?? -1);
  }

  inOrder(): number[] {
    return this.#heap.sort((a, b) => (this.#isBefore(a, b) ? -1 : 1));
  }

  #rise(): void {
    for (let at = this.#heap.length - 1; at > 0; ) {
      const parent = (at - 1) >>> 1;
      if (!this.#swapIfWrong(parent, at)) return;
      at = parent;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      if (left >= heap.length) return;
      const isRight = right < heap.length && this.#isBefore(heap[left] ?? 0, heap[right] ?? 0);
      const child = isRight ? right : left;
      if (!this.#swapIfWrong(at, child)) return;
      at = child;
    }
  }

  /** Swaps a child with its parent unless the child ranks before it. */
  #swapIfWrong(parent: number, child: number): boolean {
    const heap = this.#heap;
    const [above = 0, below = 0] = [heap[parent], heap[child]];
    if (!this.#isBefore(above, below)) return false;
    heap[parent] = below;
    heap[child] = above;
    return true;
  }
}

/** Adds the scores of a group and returns its weight. */
function addScores(
  scores: Float64Array,
  { count: all, words, lengths }: RankedTexts,
  counter: Counter,
  alternatives: readonly (readonly Postings[])[],
): number {
  const { found, counts } = counter.count(alternatives);
  const average = words / Math.max(1, all);
  const rarity = Math.log(1 + (all - found.length + 0.5) / (found.length + 0.5)) ** 2;
  for (const text of found) {
    const count = counts[text] ?? 0;
    const norm = K1 * (1 - B + (B * (lengths[text] ?? 0)) / average);
    scores[text] = (scores[text] ?? 0) + (rarity * count * (K1 + 1)) / (count + norm);
  }
  counter.clear();
  return rarity;
}

/** Adds up lists of occurrences, in arrays that are allocated once per query. */
class Counter {
  readonly #sums: Uint32Array;
  readonly #most: Uint32Array;
  #found: number[] = [];

  constructor(size: number) {
    this.#sums = new Uint32Array(size);
    this.#most = new Uint32Array(size);
  }

  /** The number of occurrences in each text; if a word has several readings, the most frequent one counts. */
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

/** Each text's own score plus its neighbours' shares, summed in an order that ignores how texts are numbered. */
function lend(own: Float64Array, { next, previous }: RankedTexts): Float64Array {
  const lifted = new Float64Array(own.length);
  for (let text = 0; text < own.length; text++) {
    const [after, before] = [next[text] ?? -1, previous[text] ?? -1];
    let score = own[text] ?? 0;
    if (before >= 0) score += LENT_BESIDE * (own[before] ?? 0) + LENT_FURTHER * (own[previous[before] ?? -1] ?? 0);
    if (after >= 0) score += LENT_BESIDE * (own[after] ?? 0) + LENT_FURTHER * (own[next[after] ?? -1] ?? 0);
    lifted[text] = score;
  }
  return lifted;
}

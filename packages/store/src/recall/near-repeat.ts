/**
 * Near-repeats: texts that say the same with almost the same words in almost the same order. Only the best-ranked of
 * such texts is shown. Numbers and negations must be equal: "at 9" and "at 10" are not repeats, whatever else they
 * share.
 */
import { tokensOf } from "./tokens.ts";

/** Characters that are compared first. If the beginnings are alike, up to `MAX_CHARS` are compared. */
const BEGINNING = 2_000;
const MAX_CHARS = 100_000;
const SHARED_WORDS = 0.9;
/** Lower than the share of words, because one different word changes two pairs of neighbouring words. */
const SHARED_PAIRS = 0.75;

const HAS_NUMBER = /\p{N}/u;
const NEGATIONS = new Set(
  "not no never none nothing nobody t cannot without nicht kein keine keinen nie niemals pas jamais aucun sans nunca jamas nada sin non mai nao niet geen nooit nigdy inte aldrig не нет никогда".split(
    " ",
  ),
);

interface Parts {
  readonly words: ReadonlySet<string>;
  readonly pairs: ReadonlySet<string>;
}

interface Kept {
  readonly text: string;
  readonly beginning: Parts;
}

export class NearRepeats {
  readonly #kept: Kept[] = [];

  get size(): number {
    return this.#kept.length;
  }

  /** Number of the earlier text that this text repeats; -1 for a new text, which becomes an earlier one. */
  find(text: string): number {
    const beginning = partsOf(text.slice(0, BEGINNING));
    const found = this.#kept.findIndex((kept) => isAlmost(kept.beginning, beginning) && isAlmostWhole(kept.text, text));
    if (found === -1) this.#kept.push({ text, beginning });
    return found;
  }
}

/** Compares the whole of two texts whose beginnings are almost the same. */
function isAlmostWhole(a: string, b: string): boolean {
  if (a === b || (a.length <= BEGINNING && b.length <= BEGINNING)) return true;
  return isAlmost(partsOf(a.slice(0, MAX_CHARS)), partsOf(b.slice(0, MAX_CHARS)));
}

function partsOf(text: string): Parts {
  const words = tokensOf(text).words.map((word) => word.text);
  return { words: new Set(words), pairs: new Set(words.slice(1).map((word, nth) => `${words[nth]} ${word}`)) };
}

function isAlmost(a: Parts, b: Parts): boolean {
  if (shareOf(a.words, b.words) < SHARED_WORDS || shareOf(a.pairs, b.pairs) < SHARED_PAIRS) return false;
  return [...a.words.symmetricDifference(b.words)].every((word) => !HAS_NUMBER.test(word) && !NEGATIONS.has(word));
}

/** The share of common words among all words of both. */
function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  if (few.size < many.size * SHARED_PAIRS) return 0;
  const shared = few.intersection(many).size;
  return few.size + many.size === 0 ? 1 : shared / (few.size + many.size - shared);
}

/**
 * Near-repeats: texts that say the same with almost the same words. Only the best-ranked of them is shown. Numbers must
 * be equal: "at 9" and "at 10" are not repeats, whatever else they share.
 */
import { tokensOf } from "./tokens.ts";

/** Longer texts are compared by their beginnings. */
const COMPARED_CHARS = 2_000;
const SHARED = 0.9;

export class NearRepeats {
  readonly #kept: ReadonlySet<string>[] = [];

  get size(): number {
    return this.#kept.length;
  }

  /** Number of the earlier text this one repeats; -1 when it is new, and it is kept then. */
  find(text: string): number {
    const words = new Set(tokensOf(text.slice(0, COMPARED_CHARS)).words.map((word) => word.text));
    const found = this.#kept.findIndex((kept) => isAlmost(kept, words));
    if (found === -1) this.#kept.push(words);
    return found;
  }
}

function isAlmost(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [few, many] = a.size < b.size ? [a, b] : [b, a];
  if (few.size < many.size * SHARED) return false;
  const shared = few.intersection(many).size;
  if (shared < (few.size + many.size - shared) * SHARED) return false;
  return [...few.symmetricDifference(many)].every((word) => !/\p{N}/u.test(word));
}

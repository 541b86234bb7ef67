/** Words, with all data of a word that does not depend on its text. Words are cached, because they occur often. */
import { commonIn, stemsIn } from "./stem/languages.ts";

export const MAX_WORD_LENGTH = 64;
/** Suffix of derived terms. The suffix sorts before letters and digits, so a word and its derived term are adjacent. */
export const DERIVED = "\u0001";
const MAX_KEPT = 50_000;

/** A character of a script without spaces. Marks that belong to two scripts, as in `コーヒー` and `あ゙`, are listed. */
export const SPACELESS_CHARACTER =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー\u3099\u309a\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]";
const SPACELESS = new RegExp(SPACELESS_CHARACTER, "u");
const HANGUL = /^\p{Script=Hangul}{2,}$/u;
const HUMPS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}[\p{Lo}\p{M}]*|\p{N}+/gu;
const HAS_PARTS = /\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|[\p{L}\p{M}]\p{N}|\p{N}\p{L}/u;
const DIGITS = /^\d+$/;

export class Word {
  /** The word in lower case, with at most `MAX_WORD_LENGTH` characters unless its script has no spaces. */
  readonly text: string;
  readonly isSpaceless: boolean;
  readonly isDigits: boolean;
  /** The parts of words such as `camelCase` and `5km`. */
  readonly parts: readonly string[];
  /** The languages in which the word is one of the most common, one bit each. */
  readonly languages: number;
  readonly #stems = new Map<number, readonly string[]>();
  readonly #terms = new Map<number, readonly string[]>();
  /** Scratch fields for counting the words of a text: the number of occurrences, and the id of the count. */
  count = 0;
  counted = 0;
  /** Scratch field for code that splits a text: the last text in which the word occurred. */
  met = 0;

  constructor(raw: string) {
    this.isSpaceless = SPACELESS.test(raw);
    this.text = this.isSpaceless ? raw.toLowerCase() : cut(raw.toLowerCase());
    this.isDigits = DIGITS.test(raw);
    this.parts = !this.isSpaceless && raw.length <= MAX_WORD_LENGTH && HAS_PARTS.test(raw) ? partsOf(raw) : [];
    this.languages = commonIn(this.text);
  }

  /** The stem in each of the languages; the word itself if none applies. */
  stems(languages: number): readonly string[] {
    const known = this.#stems.get(languages);
    if (known !== undefined) return known;
    const stems = HANGUL.test(this.text) ? pairsOf(this.text).slice(0, -1) : stemsIn(this.text, languages);
    this.#stems.set(languages, stems);
    return stems;
  }

  /** The terms that the index stores: the word, its stems, and the stems of its parts. */
  terms(languages: number): readonly string[] {
    const known = this.#terms.get(languages);
    if (known !== undefined) return known;
    const stems = this.stems(languages).filter((stem) => stem !== this.text);
    const parts = this.parts.flatMap((part) => wordOf(part).stems(languages));
    const own = this.isSpaceless ? pairsOf(this.text) : [this.text];
    const terms = [...own, ...[...stems, ...parts].map((stem) => stem + DERIVED)];
    this.#terms.set(languages, terms);
    return terms;
  }
}

const kept = new Map<string, Word>();

/** The word in lower case, without accents. */
export function wordOf(raw: string): Word {
  const known = kept.get(raw);
  if (known !== undefined) return known;
  const word = new Word(raw);
  // Runs of a script without spaces, and strings that are not words, rarely occur again, so they are not cached.
  if (word.isSpaceless || raw.length > MAX_WORD_LENGTH) return word;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(raw, word);
  return word;
}

/** The terms of a run of a script without spaces: pairs of characters, and the last one alone. */
export function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((character, nth) => character + (characters[nth + 1] ?? ""));
}

function partsOf(raw: string): string[] {
  const parts = (raw.match(HUMPS) ?? []).map((part) => part.toLowerCase());
  return parts.length < 2 ? [] : parts.filter((part) => part.length > 1 || DIGITS.test(part));
}

function cut(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : word.slice(0, MAX_WORD_LENGTH).toWellFormed();
}

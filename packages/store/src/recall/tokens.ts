/** A text as words, with the characters between them. */
import { withoutMarks } from "./fold.ts";
import { SPACELESS_CHARACTER, type Word, wordOf } from "./words.ts";

export interface Tokens {
  readonly words: readonly Word[];
  /** The single character between each word and the previous one; empty when there is none, or more than one. */
  readonly joints: readonly string[];
}

/** The text between words, which `split` keeps. A word is a run of letters, their marks and digits. */
const BETWEEN = /([^\p{L}\p{M}\p{N}\p{Co}]+)/u;
const BEYOND_ASCII = /[^\x00-\x7f]/;
const HAS_SPACELESS = new RegExp(SPACELESS_CHARACTER, "u");
const PIECES = new RegExp(`${SPACELESS_CHARACTER}+|(?:(?!${SPACELESS_CHARACTER}).)+`, "gu");

/**
 * The process does nothing else while it splits a text. A new word takes ten times as long as a pair of characters of a
 * script without spaces. So only the beginning of a text is indexed: at most its first 20,000 different words, or
 * 200,000 such characters, and at most two million characters in all.
 */
const MAX_CHARS = 2_000_000;
const MAX_COST = 200_000;
const WORD_COST = 10;
let texts = 0;

/** Limits the number of different words that are read from a text. */
class Budget {
  #left = MAX_COST;
  readonly #text = ++texts;

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** The word, or the part of it that the limit still allows. */
  take(run: string, isSpaceless: boolean): Word {
    const word = wordOf(isSpaceless ? run.slice(0, this.#left) : run);
    if (word.met !== this.#text) this.#left -= isSpaceless ? word.text.length : WORD_COST;
    word.met = this.#text;
    return word;
  }
}

export function tokensOf(text: string): Tokens {
  const bare = withoutMarks(text.slice(0, MAX_CHARS));
  const budget = new Budget();
  if (!BEYOND_ASCII.test(bare)) return asciiTokens(bare, budget);
  const mayBeSpaceless = HAS_SPACELESS.test(bare);
  const words: Word[] = [];
  const joints: string[] = [];
  const pieces = bare.split(BETWEEN);
  for (let at = 0; at < pieces.length && !budget.isSpent; at += 2) {
    const run = pieces[at] ?? "";
    if (run === "") continue;
    const between = pieces[at - 1] ?? "";
    const joint = words.length > 0 && between.length === 1 && between !== " " ? between : "";
    if (!mayBeSpaceless || !HAS_SPACELESS.test(run)) {
      words.push(budget.take(run, false));
      joints.push(joint);
    } else
      for (const [nth, piece] of (run.match(PIECES) ?? []).entries()) {
        if (budget.isSpent) break;
        words.push(budget.take(piece, HAS_SPACELESS.test(piece)));
        joints.push(nth === 0 ? joint : "");
      }
  }
  return { words, joints };
}

/** Whether an ASCII character belongs to a word, by its code: 1 for letters and digits. */
const IS_WORD = Uint8Array.from({ length: 128 }, (_, unit) => (/[A-Za-z0-9]/.test(String.fromCharCode(unit)) ? 1 : 0));

/** The words of an ASCII text, as most texts are: several times faster than the regular expression. */
function asciiTokens(text: string, budget: Budget): Tokens {
  const words: Word[] = [];
  const joints: string[] = [];
  for (let at = 0, end = -1; at < text.length && !budget.isSpent; ) {
    if (IS_WORD[text.charCodeAt(at)] === 0) {
      at++;
      continue;
    }
    const start = at;
    while (at < text.length && IS_WORD[text.charCodeAt(at)] === 1) at++;
    const joint = end >= 0 && start === end + 1 ? text.charAt(end) : "";
    words.push(budget.take(text.slice(start, at), false));
    joints.push(joint === " " ? "" : joint);
    end = at;
  }
  return { words, joints };
}

/** A text as words, with the characters between them. */
import { withoutMarks } from "./fold.ts";
import { SPACELESS_CHARACTER, type Word, wordOf } from "./words.ts";

export interface Tokens {
  readonly words: readonly Word[];
  /** The single character between each word and the previous one; empty when there is none, or more than one. */
  readonly joints: readonly string[];
}

/** A word is a run of letters, their marks and digits; here is what lies between words, kept by `split`. */
const BETWEEN = /([^\p{L}\p{M}\p{N}\p{Co}]+)/u;
const BEYOND_ASCII = /[^\x00-\x7f]/;
const HAS_SPACELESS = new RegExp(SPACELESS_CHARACTER, "u");
const PIECES = new RegExp(`${SPACELESS_CHARACTER}+|(?:(?!${SPACELESS_CHARACTER}).)+`, "gu");

export function tokensOf(text: string): Tokens {
  const bare = withoutMarks(text);
  if (!BEYOND_ASCII.test(bare)) return asciiTokens(bare);
  const mayBeSpaceless = HAS_SPACELESS.test(bare);
  const words: Word[] = [];
  const joints: string[] = [];
  const pieces = bare.split(BETWEEN);
  for (let at = 0; at < pieces.length; at += 2) {
    const run = pieces[at] ?? "";
    if (run === "") continue;
    const between = pieces[at - 1] ?? "";
    const joint = words.length > 0 && between.length === 1 && between !== " " ? between : "";
    if (!mayBeSpaceless || !HAS_SPACELESS.test(run)) {
      words.push(wordOf(run));
      joints.push(joint);
    } else
      for (const [nth, piece] of (run.match(PIECES) ?? []).entries()) {
        words.push(wordOf(piece));
        joints.push(nth === 0 ? joint : "");
      }
  }
  return { words, joints };
}

/** 1 for letters and digits. */
const IS_WORD = Uint8Array.from({ length: 128 }, (_, unit) => (/[A-Za-z0-9]/.test(String.fromCharCode(unit)) ? 1 : 0));

/** The same for ASCII, which most texts are; several times faster than a regular expression. */
function asciiTokens(text: string): Tokens {
  const words: Word[] = [];
  const joints: string[] = [];
  for (let at = 0, end = -1; at < text.length; ) {
    if (IS_WORD[text.charCodeAt(at)] === 0) {
      at++;
      continue;
    }
    const start = at;
    while (at < text.length && IS_WORD[text.charCodeAt(at)] === 1) at++;
    const joint = end >= 0 && start === end + 1 ? text.charAt(end) : "";
    words.push(wordOf(text.slice(start, at)));
    joints.push(joint === " " ? "" : joint);
    end = at;
  }
  return { words, joints };
}

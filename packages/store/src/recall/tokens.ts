/**
 * A text as words, with what stands between them.
 *
 * A word is a run of letters and digits. Scripts written without spaces have no such runs; their characters are taken
 * in pairs, the last one of a run also alone, so that one character is found as the beginning of a pair.
 */
import { withoutMarks } from "./fold.ts";

export interface Token {
  /** As written, without accents. */
  readonly raw: string;
  /** In lower case, at most `LONGEST_WORD` long. */
  readonly word: string;
  /** The one character between this word and the one before it; empty when there is none, or more than one. */
  readonly joint: string;
  readonly spaceless: boolean;
}

export const LONGEST_WORD = 64;

const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
const SPACELESS =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]";
const HAS_SPACELESS = new RegExp(SPACELESS, "u");
const PIECES = new RegExp(`${SPACELESS}+|(?:(?!${SPACELESS}).)+`, "gu");

export function tokensOf(text: string): Token[] {
  const bare = withoutMarks(text);
  const tokens: Token[] = [];
  let end = -1;
  for (const match of bare.matchAll(WORD)) {
    const joint = match.index === end + 1 && end >= 0 ? bare.charAt(end) : "";
    end = match.index + match[0].length;
    if (HAS_SPACELESS.test(match[0])) tokens.push(...piecesOf(match[0], joint));
    else tokens.push({ raw: match[0], word: cutWord(match[0].toLowerCase()), joint, spaceless: false });
  }
  return tokens;
}

function piecesOf(run: string, joint: string): Token[] {
  return (run.match(PIECES) ?? []).map((raw, nth) => ({
    raw,
    word: HAS_SPACELESS.test(raw) ? raw.toLowerCase() : cutWord(raw.toLowerCase()),
    joint: nth === 0 ? joint : "",
    spaceless: HAS_SPACELESS.test(raw),
  }));
}

/** The terms of a run of a script without spaces. */
export function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((character, nth) => character + (characters[nth + 1] ?? ""));
}

function cutWord(word: string): string {
  return word.length <= LONGEST_WORD ? word : word.slice(0, LONGEST_WORD).toWellFormed();
}

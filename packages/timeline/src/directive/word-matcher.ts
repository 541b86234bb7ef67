/**
 * Finds any of some words in a text in lower case. `spaced` are words of languages that set words apart: they count as
 * whole words only. `unspaced` are those of Chinese, Japanese and Korean, which match anywhere. With the flag `i` the
 * text may be in any case.
 */
export function matchWords(spaced: readonly string[], unspaced: readonly string[] = [], flags = "u"): RegExp {
  const words = `(?<![\\p{L}\\d])(?:${spaced.join("|")})(?![\\p{L}\\d])`;
  return withLetters([words, ...unspaced].join("|"), flags);
}

/** Matches any of some words at the beginning of a text in lower case. */
export function matchStart(...alternatives: readonly string[]): RegExp {
  return withLetters(`^(?:${alternatives.join("|")})`, "u");
}

/** Limits `\p{L}` to scripts that separate words: this smaller class compiles a hundred times as fast. */
export function withLetters(pattern: string, flags: string): RegExp {
  return new RegExp(pattern.replaceAll("[\\p{L}", `[${LETTERS}`).replaceAll("\\p{L}", `[${LETTERS}]`), flags);
}

const LETTERS = "a-z\\u00df-\\u024f\\u0370-\\u052f";

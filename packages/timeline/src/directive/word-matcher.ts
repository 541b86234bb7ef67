/**
 * Finds any of some words in a text, in any case. `spaced` are words of languages that set words apart: they count as
 * whole words only. `unspaced` are those of Chinese, Japanese and Korean, which stand anywhere.
 */
export function matchWords(spaced: readonly string[], unspaced: readonly string[] = [], flags = "iu"): RegExp {
  const words = `(?<![\\p{L}\\p{N}])(?:${spaced.join("|")})(?![\\p{L}\\p{N}])`;
  return new RegExp([words, ...unspaced].join("|"), flags);
}

/** Cleans texts for rendering: no control characters, no lone surrogates, and long runs that may break. */

/** Characters that XML 1.0 and fonts do not support. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

export function drawable(text: string): string {
  return text.toWellFormed().replace(UNSEEN, "");
}

/** Matches URLs, which layout engines break without help. */
const ADDRESS = /^(?:https?:\/\/|www\.)/;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Splits a text into parts between which a line may break inside a word that is too long, such as a hash. */
export function breakable(text: string, isTooLong: (word: string) => boolean): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (word.length < 2 || !isTooLong(word) || ADDRESS.test(word)) continue;
    const pieces = cutWord(word);
    parts.push(text.slice(from, index) + (pieces[0] ?? ""), ...pieces.slice(1, -1));
    // The last piece is joined with what follows the word.
    from = index + word.length - (pieces.length > 1 ? (pieces.at(-1)?.length ?? 0) : 0);
  }
  return [...parts, text.slice(from)];
}

/** Splits a word into parts of a few letters; longer parts for a very long word, because each costs time. */
export function cutWord(word: string): string[] {
  const most = word.length > 4_000 ? 16 : word.length > 600 ? 8 : 3;
  const letters = /^[\x20-\x7e]*$/.test(word) ? word : [...graphemes.segment(word)].map(({ segment }) => segment);
  const parts: string[] = [];
  for (let at = 0; at < letters.length; at += most)
    parts.push(typeof letters === "string" ? letters.slice(at, at + most) : letters.slice(at, at + most).join(""));
  return parts;
}

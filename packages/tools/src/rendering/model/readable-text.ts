/** Texts as a renderer can draw them: no control characters, no half characters, and long runs that may break. */

/** What XML 1.0 and fonts have no place for. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

export function drawable(text: string): string {
  return text.toWellFormed().replace(UNSEEN, "");
}

/** Addresses break by themselves. */
const ADDRESS = /^(?:https?:\/\/|www\.)/;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The text in parts between which a line may break inside a word: a long run of letters and signs, such as a hash, would
 * run over the margin. Which words are too long for a line, the caller knows.
 */
export function breakable(text: string, isTooLong: (word: string) => boolean): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (word.length < 2 || !isTooLong(word) || ADDRESS.test(word)) continue;
    const pieces = cutWord(word);
    parts.push(text.slice(from, index) + (pieces[0] ?? ""), ...pieces.slice(1, -1));
    // The last piece goes on with what follows the word.
    from = index + word.length - (pieces.length > 1 ? (pieces.at(-1)?.length ?? 0) : 0);
  }
  return [...parts, text.slice(from)];
}

/** A word in parts of a few letters; of a very long one they are longer, as each costs time. */
export function cutWord(word: string): string[] {
  const most = word.length > 4_000 ? 16 : word.length > 600 ? 8 : 3;
  const letters = /^[\x20-\x7e]*$/.test(word) ? word : [...graphemes.segment(word)].map(({ segment }) => segment);
  const parts: string[] = [];
  for (let at = 0; at < letters.length; at += most)
    parts.push(typeof letters === "string" ? letters.slice(at, at + most) : letters.slice(at, at + most).join(""));
  return parts;
}

/** Texts as a renderer can draw them: no control characters, no half characters, and long runs that may break. */

/** What XML 1.0 and fonts have no place for. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

export function drawable(text: string): string {
  return text.toWellFormed().replace(UNSEEN, "");
}

/**
 * The text in parts between which a line may break inside a word: long runs of letters and signs, such as hashes, would
 * run over the margin. Addresses break by themselves.
 */
export function breakable(text: string, longest: number): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(/[\x21-\x7e]+/g)) {
    if (word.length <= longest || word.includes("://")) continue;
    const pieces = breakWord(word, longest);
    parts.push(text.slice(from, index) + (pieces[0] ?? ""), ...pieces.slice(1, -1));
    // The last piece goes on with what follows the word.
    from = index + word.length - (pieces.at(-1)?.length ?? 0);
  }
  return [...parts, text.slice(from)];
}

function breakWord(word: string, longest: number): string[] {
  const parts = word.split(/(?<=[/?&=._\-,;:|])/);
  return parts.flatMap((part) => part.match(new RegExp(`.{1,${longest}}`, "g")) ?? []);
}

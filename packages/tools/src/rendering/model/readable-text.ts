/** Texts as a renderer can draw them: no control characters, no half characters, and long runs that may break. */

/** What XML 1.0 and fonts have no place for. */
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

export function drawable(text: string): string {
  return text.toWellFormed().replace(UNSEEN, "");
}

const ZERO_WIDTH_SPACE = "\u200b";

/** Long words of letters and signs (addresses, hashes) get places to break, so that none runs over the margin. */
export function breakable(text: string, longest: number): string {
  return text.replace(/[\x21-\x7e]+/g, (word) => (word.length <= longest ? word : breakWord(word, longest)));
}

function breakWord(word: string, longest: number): string {
  const parts = word.split(/(?<=[/?&=._\-,;:|])/);
  return parts.flatMap((part) => part.match(new RegExp(`.{1,${longest}}`, "g")) ?? []).join(ZERO_WIDTH_SPACE);
}

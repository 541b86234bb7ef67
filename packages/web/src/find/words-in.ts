/** The positions of search words in a text, ignoring case and accents. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** The words as typed. The last one may be incomplete. A word in a script without spaces matches anywhere. */
export function wordsIn(text: string, query: string): Place[] {
  const asked = (query.match(WORD) ?? []).map(fold);
  const begun = asked.at(-1);
  if (begun === undefined) return [];
  const whole = new Set(asked);
  const runs = asked.filter((word) => SPACELESS.test(word));
  return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const folded = fold(word);
    if (whole.has(folded) || folded.startsWith(begun)) return [{ start: index, end: index + word.length }];
    // The positions are valid only if folding has not changed the length of the text.
    return runs.flatMap((run) => {
      const at = folded.length === word.length ? folded.indexOf(run) : -1;
      return at < 0 ? [] : [{ start: index + at, end: index + at + run.length }];
    });
  });
}

/** Folds text as the store does: accents are removed and ligatures become letters, but marks of other scripts stay. */
const ACCENTS = /[\p{M}&&[\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Arab}\p{scx=Hebr}\p{scx=Zinh}]]/gv;

const LETTERS: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", ı: "i" };

function fold(word: string): string {
  const bare = word.normalize("NFKD").replace(ACCENTS, "").normalize("NFC").toLowerCase();
  return bare.replace(/[ßæœøđłı]/g, (letter) => LETTERS[letter] ?? letter);
}

/**
 * Words as the offline model compares them: lower case, without accents, plural and common endings; Han, Kana and
 * Hangul as pairs of characters, because no spaces separate their words. Stop words are left out. German and French
 * words for terms of Cairn's documentation are replaced by the English terms.
 */
import { inEnglish } from "./english-words.ts";

const STOP = new Set(
  (
    "a an and are as at be been but by can could did do does for from get give had happen happens has have he her his how i if in into is it its " +
    "me my no not of on or our please say says she should so some tell than that the their them then there these they this " +
    "those to us was we were what when where which who whom whose why will with would you your about file attachment attached explain explains erklar erklare explique " +
    "der die das den dem des ein eine einen einem einer und oder ist sind war werden wird wie was wer wo wann warum im in auf mit von zu fur uber nicht ich kann konnen darf muss soll habe mein meine meinen welche welcher welches kannst du er sie wir ihr man gibt es funktioniert funktionieren " +
    "le la les de du un une et ou est sont qui que quoi quel quelle quand comment pourquoi dans avec sur pas ce cette ces je tu mon ma mes ai avoir quels quelles tu y fonctionne fonctionnent peut peux puis dois"
  ).split(" "),
);
/** Verbs that people use where the documentation says "mount". They are written without accents and endings. */
const SAME = new Map(
  "einbinden einbind einhangen einhang einbauen mounten integrieren integrier integrer integrat embed"
    .split(" ")
    .map((word): [string, string] => [word, "mount"])
    .concat([["postgre", "postgresql"]]),
);
/** "What's", "I'm", "don't", "l'eau", "qu'il": the part before or after the apostrophe is left out. */
const SHORTENED = /(?<=\p{L})(?:n?['’]t|['’](?:s|m|re|ve|ll|d))(?!\p{L})|(?<!\p{L})(?:[ldjcnsmt]|qu)['’](?=\p{L})/giu;
const WORD = /[\p{L}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Longer runs of letters are left out, because no one searches for them. */
const MAX_LENGTH = 60;

export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of bareText(text).matchAll(WORD)) {
    if (UNSPACED.test(run)) addPairs(words, run);
    else if (run.length <= MAX_LENGTH && !STOP.has(run)) {
      const word = inEnglish(run) ?? run;
      if (!STOP.has(word)) words.push(sameWord(stem(word)));
    }
  }
  return words;
}

/** The query without stop words, with its known words in English; null if no word is known. */
export function englishQuery(text: string): string | null {
  const words = (bareText(text).match(WORD) ?? []).filter((word) => !STOP.has(word));
  const isKnown = words.some((word) => inEnglish(word) !== undefined);
  return isKnown ? words.map((word) => inEnglish(word) ?? word).join(" ") : null;
}

function bareText(text: string): string {
  return text
    .replace(SHORTENED, " ")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}

function sameWord(word: string): string {
  return SAME.get(word) ?? word;
}

function addPairs(words: string[], run: string): void {
  const characters = Array.from(run);
  if (characters.length === 1) words.push(run);
  for (let at = 0; at + 1 < characters.length; at++) words.push(`${characters[at]}${characters[at + 1]}`);
}

function stem(word: string): string {
  if (word.length <= 3) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !word.endsWith("ss")) return word.slice(0, -1);
  if (word.endsWith("ing") && word.length > 6) return word.slice(0, -3);
  if (word.endsWith("ed") && word.length > 5) return word.slice(0, -2);
  // Removes the "e" of "cache", so that the word equals "cached" and "caching".
  if (word.endsWith("e") && word.length > 4) return word.slice(0, -1);
  return word;
}

/**
 * Languages, one bit each: detects the possible languages of a text by its most common words and its script, and stems
 * words in them. A short text often contains none of these words; its words are then stemmed in every language, so that
 * they match other forms in longer texts.
 */
import {
  DUTCH,
  type Endings,
  FRENCH,
  GERMAN,
  ITALIAN,
  PORTUGUESE,
  RUSSIAN,
  SPANISH,
  SWEDISH,
  stemmerOf,
} from "./endings.ts";
import { stemEnglish } from "./english.ts";

type Stemmer = (word: string) => string;

interface Language {
  readonly stem: Stemmer;
  readonly common: string;
}

const light = (endings: Endings, common: string): Language => ({ stem: stemmerOf(endings), common });

/** Stemmers of languages with Latin letters, each with words that reveal the language. */
const LANGUAGES: readonly Language[] = [
  {
    stem: stemEnglish,
    common:
      "a the and of to in is was that it for you with on are this be have not what when where who how did does do i my me we they he she his her your our from at as but or if about will would can has had been there their so just an",
  },
  light(
    GERMAN,
    "der die das und ist nicht ein eine einen einem zu den dem mit auf fur von im ich du sie wir ihr es war hat haben sind auch wie was wo wann wer als bei nach aus dass mein dein kann wird noch oder aber habe bitte",
  ),
  light(
    FRENCH,
    "a le la les des et est une un du dans pour que qui ne pas je tu il elle nous vous ils au aux ce cette ces sur avec mon ma mes son sa ses mais ou quand comment quel quelle sont ete etre avait plus",
  ),
  light(
    SPANISH,
    "a el los las y es una un de del en que por para con no se su sus lo como mas pero yo tu mi fue son esta este esto muy ya cuando donde quien cual le les al hay ser tiene tengo",
  ),
  light(
    ITALIAN,
    "a il lo gli i e che di non per con una un del della dei delle nel nella al alla sono ho hai ha mi ti si io tu come quando dove chi cosa questo questa anche piu ma era mio mia sua suo",
  ),
  light(
    PORTUGUESE,
    "o os a as e de do da dos das em no na nos nas um uma que nao por para com se seu sua eu tu voce ele ela meu minha foi sao esta isso este como quando onde quem mais mas muito ja ao tem tenho",
  ),
  light(
    DUTCH,
    "de het een en van ik je dat die is niet op te in met voor zijn was er aan heb heeft maar ook om als dan naar bij wat wie waar wanneer hoe mijn jouw we wij ze zij hij kan nog wel geen",
  ),
  light(
    SWEDISH,
    "och att det som en ett ar var jag du inte pa av for med den de till har han hon vi om men sa nar vad vem min mitt din kan ska fran eller",
  ),
];
const ENGLISH = 1;
const EVERY = 2 ** LANGUAGES.length - 1;
const russian = stemmerOf(RUSSIAN);

const COMMON = new Map<string, number>();
for (const [nth, { common }] of LANGUAGES.entries())
  for (const word of common.split(" ")) COMMON.set(word, (COMMON.get(word) ?? 0) | (1 << nth));

const LATIN_WORD = /^[a-z]+$/;
const CYRILLIC_WORD = /^\p{Script=Cyrillic}+$/u;
/** Number of words that are examined to find the language. */
const SAMPLE = 400;
/** A text with more words than this and no common word is a table, a log or a program: only English stems are used. */
const SHORT_TEXT = 40;

/** The languages in which a word is one of the most common. */
export function commonIn(word: string): number {
  return COMMON.get(word) ?? 0;
}

/** The possible languages of a text: one if it is clear, otherwise all equally likely ones. */
export function languagesOf(words: readonly { readonly languages: number }[]): number {
  const counts = LANGUAGES.map(() => 0);
  const looked = Math.min(words.length, SAMPLE);
  for (let nth = 0; nth < looked; nth++)
    for (let bits = words[nth]?.languages ?? 0; bits !== 0; bits &= bits - 1) {
      const language = 31 - Math.clz32(bits & -bits);
      counts[language] = (counts[language] ?? 0) + 1;
    }
  const most = Math.max(...counts);
  if (most < 2) return words.length > SHORT_TEXT ? ENGLISH : EVERY;
  return counts.reduce((likely, count, nth) => (count >= most * 0.75 ? likely | (1 << nth) : likely), 0);
}

/** The stems of a word in these languages; the word itself if none applies. */
export function stemsIn(word: string, languages: number): readonly string[] {
  if (word.length < 3) return [word];
  if (LATIN_WORD.test(word)) {
    const meant = LANGUAGES.filter((_, nth) => (languages & (1 << nth)) !== 0);
    return [...new Set(meant.map(({ stem }) => stem(word)))];
  }
  return CYRILLIC_WORD.test(word) ? [russian(word)] : [word];
}

/**
 * Which languages a text may be written in, by its most common words and by its script. A short text often has none of
 * these words: then its words are stemmed in every language, so that a form of a word in a longer text meets it.
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

export type Stemmer = (word: string) => string;

interface Language {
  readonly stem: Stemmer;
  readonly common: ReadonlySet<string>;
}

const MOST_REMEMBERED = 20_000;

/** Stemming the same words again and again is most of the work of indexing. */
function remembering(stem: Stemmer): Stemmer {
  const known = new Map<string, string>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const found = stem(word);
    known.set(word, found);
    return found;
  };
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const english = remembering(stemEnglish);
const lightStemmer = (endings: Endings) => remembering(stemmerOf(endings));

const LATIN: readonly Language[] = [
  {
    stem: english,
    common: words(
      "a the and of to in is was that it for you with on are this be have not what when where who how did does do i my me we they he she his her your our from at as but or if about will would can has had been there their so just an",
    ),
  },
  {
    stem: lightStemmer(GERMAN),
    common: words(
      "der die das und ist nicht ein eine einen einem zu den dem mit auf fur von im ich du sie wir ihr es war hat haben sind auch wie was wo wann wer als bei nach aus dass mein dein kann wird noch oder aber habe bitte",
    ),
  },
  {
    stem: lightStemmer(FRENCH),
    common: words(
      "a le la les des et est une un du dans pour que qui ne pas je tu il elle nous vous ils au aux ce cette ces sur avec mon ma mes son sa ses mais ou quand comment quel quelle sont ete etre avait plus",
    ),
  },
  {
    stem: lightStemmer(SPANISH),
    common: words(
      "a el los las y es una un de del en que por para con no se su sus lo como mas pero yo tu mi fue son esta este esto muy ya cuando donde quien cual le les al hay ser tiene tengo",
    ),
  },
  {
    stem: lightStemmer(ITALIAN),
    common: words(
      "a il lo gli i e che di non per con una un del della dei delle nel nella al alla sono ho hai ha mi ti si io tu come quando dove chi cosa questo questa anche piu ma era mio mia sua suo",
    ),
  },
  {
    stem: lightStemmer(PORTUGUESE),
    common: words(
      "o os a as e de do da dos das em no na nos nas um uma que nao por para com se seu sua eu tu voce ele ela meu minha foi sao esta isso este como quando onde quem mais mas muito ja ao tem tenho",
    ),
  },
  {
    stem: lightStemmer(DUTCH),
    common: words(
      "de het een en van ik je dat die is niet op te in met voor zijn was er aan heb heeft maar ook om als dan naar bij wat wie waar wanneer hoe mijn jouw we wij ze zij hij kan nog wel geen",
    ),
  },
  {
    stem: lightStemmer(SWEDISH),
    common: words(
      "och att det som en ett ar var jag du inte pa av for med den de till har han hon vi om men sa nar vad vem min mitt din kan ska fran eller",
    ),
  },
];
const russian = lightStemmer(RUSSIAN);
const LATIN_WORD = /^[a-z]+$/;
const CYRILLIC_WORD = /^[\p{Script=Cyrillic}]+$/u;
/** Words that are looked at. */
const SAMPLE = 400;
/** A text with more words and no common ones is a table, a log or a program: only English forms are looked for. */
const SHORT_TEXT = 40;

const ALL_LATIN: readonly Stemmer[] = LATIN.map(({ stem }) => stem);

/** Stems for the words of one text. */
export class WordForms {
  readonly #latin: readonly Stemmer[];

  constructor(folded: readonly string[]) {
    this.#latin = latinStemmers(folded);
  }

  /** The stems of a word; itself where no language is known to change it. */
  stems(word: string): readonly string[] {
    if (word.length < 3) return [word];
    if (LATIN_WORD.test(word)) {
      const [only] = this.#latin;
      if (this.#latin.length === 1 && only !== undefined) return [only(word)];
      return [...new Set(this.#latin.map((stem) => stem(word)))];
    }
    return CYRILLIC_WORD.test(word) ? [russian(word)] : [word];
  }
}

/** One stemmer where the language is clear, else those of every language that is as likely. */
function latinStemmers(folded: readonly string[]): readonly Stemmer[] {
  const counts = LATIN.map(() => 0);
  for (const word of folded.slice(0, SAMPLE))
    for (const [nth, { common }] of LATIN.entries()) if (common.has(word)) counts[nth] = (counts[nth] ?? 0) + 1;
  const most = Math.max(...counts);
  if (most < 2) return folded.length > SHORT_TEXT ? [english] : ALL_LATIN;
  return LATIN.filter((_, nth) => (counts[nth] ?? 0) >= most * 0.75).map(({ stem }) => stem);
}

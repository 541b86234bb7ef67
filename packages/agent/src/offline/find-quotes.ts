/**
 * The sentences that best answer a question, ranked by BM25 over all sentences in view: rare words count more, and long
 * sentences count less. A sentence must have two of the question's words, or a third of them if the question is short;
 * for pages from a search, the caller may require more. A sentence that defines what the question asks for counts more,
 * and so do the sentences below a heading that is the question. Ties go to the earlier sentence, so that the same view
 * always gives the same answer.
 */
import { definedTerm, definesTerm } from "./definition.ts";
import type { Passage } from "./passages.ts";
import { type Piece, piecesOf } from "./sentences.ts";
import { wordsOf } from "./words.ts";

export interface Quote extends Piece {
  readonly passage: Passage;
}

const K1 = 1.2;
const B = 0.5;
/** Weight of words before a sentence, in the page's title, the heading ("Opening hours") or the previous sentence. */
const BEFORE = 0.3;
/** Factor of a sentence that defines the term that the question asks about. */
const DEFINITION = 3;
/** Factor of a sentence below a heading that asks the same question: both must share half of their words. */
const ANSWER = 4;
const MIN_AGREEMENT = 0.5;
/** Two sentences say the same if both contain at least this share of all the words that occur in either. */
const MIN_ALIKE = 0.7;
/** Least share of a question's words in such a heading, where rare words count more. */
const MIN_WEIGHT = 0.35;
/** Least share of the best score for other sentences, if the best is below such a heading. */
const MIN_BESIDE = 0.8;
/** Number of sentences below such a heading whose score is raised. Each counts less than the one before. */
const MAX_BELOW = 3;
const LATER = 0.8;
/** Weight of a heading, which is low because a heading says little without its text. */
const HEADING = 0.4;
/** Factor of a row of a page's table: a sentence that answers equally well is easier to read. */
const ROW = 0.7;

export interface QuoteOptions {
  /** The share of the question's words that a sentence of a page must contain; 0 for no extra condition. */
  readonly leastOfPages?: number;
  /** Ignores words of the question that no passage has: the question may be in another language than the pages. */
  readonly isForeign?: boolean;
  /** Minimum score of a sentence as a share of the best score. */
  readonly leastScore?: number;
  /** Minimum share of the best score beside an answer of the documentation to the same question. */
  readonly leastBeside?: number;
}

export function findQuotes(
  question: string,
  passages: readonly Passage[],
  most: number,
  { leastOfPages = 0, isForeign = false, leastScore = 0.4, leastBeside = MIN_BESIDE }: QuoteOptions = {},
): Quote[] {
  const asked = [...new Set(wordsOf(question))];
  if (asked.length === 0) return [];
  const only = new Set(asked);
  const { sentences, frequency, averageLength } = indexOf(passages, only, !question.includes("_"));
  const weight = new Map(
    asked.map((word) => {
      const n = frequency.get(word) ?? 0;
      return [word, Math.log(1 + (sentences.length - n + 0.5) / (n + 0.5))];
    }),
  );
  const least = Math.min(2, Math.max(1, Math.ceil(asked.length / 3)));
  const countable = isForeign ? asked.filter((word) => frequency.has(word)) : asked;
  const leastWeb = Math.max(least, Math.ceil(countable.length * leastOfPages));
  const above = contextsOf(sentences, only);
  const term = definedTerm(question);
  const total = countable.reduce((sum, word) => sum + (weight.get(word) ?? 0), 0);
  const weightOf = (heading: Sentence | undefined) =>
    [...(heading?.counts.keys() ?? [])].reduce((sum, word) => sum + (weight.get(word) ?? 0), 0) / total;
  const scored = sentences.flatMap((sentence, at): Scored[] => {
    if (isCut(sentence) || isHeadRow(sentences, at)) return [];
    const asking = questionAbove(sentences, at);
    const agreement = asking === null ? 0 : agreementOf(sentences[at - asking], countable);
    if (asking !== null && agreement >= MIN_AGREEMENT && weightOf(sentences[at - asking]) >= MIN_WEIGHT) {
      const score = scoreOf(sentences[at - asking] ?? sentence, weight, averageLength);
      return asking === 0
        ? []
        : [{ at, kind: "answer", score: ANSWER * agreement * score * LATER ** (asking - 1), sentence }];
    }
    const contexts = above[at] ?? [];
    const own = asking === 0 ? 0 : scoreOf(sentence, weight, averageLength);
    const has = (word: string) => sentence.counts.has(word) || contexts.some(({ counts }) => counts.has(word));
    const matched = asked.filter(has).length;
    if (own === 0 || matched < (sentence.passage.kind === "web" ? leastWeb : least)) return [];
    const borrowed = BEFORE * Math.max(0, ...contexts.map((context) => scoreOf(context, weight, averageLength)));
    const isHeading = isHeadingText(sentence);
    const factor = isHeading
      ? HEADING
      : sentence.head !== null
        ? ROW
        : term !== null && definesTerm(sentence.text, term)
          ? DEFINITION
          : 1;
    // A heading says nothing alone, so the sentence below it is quoted.
    const below = isHeading ? sentences[at + 1] : undefined;
    const isText = below !== undefined && below.passage === sentence.passage && !isHeadingText(below);
    return [
      {
        at,
        kind: isHeading ? "heading" : "text",
        score: (own + borrowed) * factor,
        sentence: isText ? below : sentence,
      },
    ];
  });
  scored.sort((a, b) => b.score - a.score || a.at - b.at);
  const best = scored[0];
  const withText = new Set(scored.flatMap(({ kind, sentence }) => (kind === "text" ? sentence.passage.name : [])));
  // The documentation's own answer to the question needs no weaker quotations beside it.
  const leastOf = (kind: Scored["kind"]) => (best?.kind === "answer" && kind !== "answer" ? leastBeside : leastScore);
  const fits = ({ kind, score, sentence }: Scored) =>
    score >= (best?.score ?? 0) * leastOf(kind) && !(kind === "heading" && withText.has(sentence.passage.name));
  return distinct(scored.filter(fits).map(({ sentence }) => sentence)).slice(0, most);
}

interface Scored {
  readonly at: number;
  /** `answer`: a sentence below a heading that asks the same question. */
  readonly kind: "answer" | "heading" | "text";
  readonly score: number;
  readonly sentence: Sentence;
}

/** A short piece without a full stop, or of one or two words, such as `Deposit.`. */
function isHeadingText({ head, length, text }: Sentence): boolean {
  if (head !== null) return false;
  return (
    /^\p{Lu}[\p{L}'’-]*(?: [\p{L}'’-]+)?\.$/u.test(text) || (length < 4 && !/[.!?…。！？:]["'”’)\]]{0,2}$/.test(text))
  );
}

/** An extract of a page may end inside a word. */
function isCut({ passage, text }: Sentence): boolean {
  return passage.kind === "web" && /[\p{L}\p{N}]…$/u.test(text);
}

/** The row with the names of the columns says nothing by itself. */
function isHeadRow(sentences: readonly Sentence[], at: number): boolean {
  const [row, next] = [sentences[at], sentences[at + 1]];
  return row?.head === null && next?.head === row.text && next.passage === row.passage;
}

/** The number of sentences back to a heading that is a question; null if there is no such heading nearby. */
function questionAbove(sentences: readonly Sentence[], at: number): number | null {
  for (let back = 0; back <= MAX_BELOW; back++) {
    const heading = sentences[at - back];
    if (heading === undefined || heading.passage !== sentences[at]?.passage || heading.passage.kind !== "web")
      return null;
    if (heading.text.endsWith("?")) return back;
  }
  return null;
}

/** The share of words that a heading and the question have in common. */
function agreementOf(heading: Sentence | undefined, asked: readonly string[]): number {
  if (heading === undefined || asked.length === 0) return 0;
  const common = asked.filter((word) => heading.counts.has(word)).length;
  return common / Math.max(asked.length, heading.length);
}

/** The gist of a text when there is no question: sentences with its most frequent words, from the beginning. */
export function findGist(passages: readonly Passage[], most: number): Quote[] {
  const { sentences } = indexOf(passages, null);
  const totals = new Map<string, number>();
  // Numbers, such as the date in each entry of a list, say little about a text.
  const wordsIn = ({ counts }: Sentence) => [...counts.keys()].filter((word) => /\p{L}/u.test(word));
  for (const sentence of sentences) for (const word of wordsIn(sentence)) totals.set(word, (totals.get(word) ?? 0) + 1);
  const scored = sentences.map((sentence, at) => {
    let sum = 0;
    const words = wordsIn(sentence);
    for (const word of words) sum += Math.log(totals.get(word) ?? 1);
    const isWhole = words.length >= 4 && sentence.head === null ? 1 : 0.2;
    return { sentence, at, words, score: isWhole * (sum / Math.sqrt(sentence.length + 4) + 1 / (1 + sentence.nth)) };
  });
  // Each part of the text adds its best sentence, because a text does not say everything at its beginning.
  const size = Math.max(1, scored.length / most);
  const picked: (typeof scored)[number][] = [];
  for (let part = 0; part < most; part++) {
    const own = scored.slice(Math.round(part * size), Math.round((part + 1) * size));
    own.sort((a, b) => b.score - a.score || a.at - b.at);
    const best = own.find(({ words }) => !picked.some((other) => isAlike(words, other.words)));
    if (best !== undefined) picked.push(best);
  }
  return distinct(picked.map(({ sentence }) => sentence));
}

/** Most words of both sentences are the same. */
function isAlike(a: readonly string[], b: readonly string[]): boolean {
  const common = new Set(a).intersection(new Set(b)).size;
  return a.length > 0 && common >= MIN_ALIKE * new Set([...a, ...b]).size;
}

/** A table is headed by one row, or by two when its title is the first. */
const HEAD_ROWS = 2;

/** The context of each sentence: the title of its page, the sentence before it, and for a table row the table's header. */
function contextsOf(sentences: readonly Sentence[], only: ReadonlySet<string>): (readonly Counted[])[] {
  let head: Sentence[] = [];
  const titles = new Map<string, Counted>();
  const titleOf = ({ passage }: Sentence): readonly Counted[] => {
    if (passage.kind !== "web") return [];
    const title = titles.get(passage.name) ?? countWords(passage.name, only);
    titles.set(passage.name, title);
    return [title];
  };
  return sentences.map((sentence, at) => {
    const before = sentences[at - 1];
    const isRow = sentence.text.includes(" | ");
    if (!isRow || before?.passage !== sentence.passage) head = [];
    const above = before?.passage === sentence.passage ? [...new Set([before, ...head])] : [];
    const contexts = [...titleOf(sentence), ...above];
    if (isRow && head.length < HEAD_ROWS) head.push(sentence);
    return contexts;
  });
}

interface Counted {
  readonly counts: ReadonlyMap<string, number>;
  /** Length in words. */
  readonly length: number;
}

interface Sentence extends Quote, Counted {
  /** Number of the sentence in its passage. */
  readonly nth: number;
}

/** An identifier, such as `cache_key`. A sentence does not match a question by the parts of an identifier. */
const IDENTIFIER = /[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+/gu;

/** Counts words in passages. `only` limits the count to some words; null counts all. */
function indexOf(passages: readonly Passage[], only: ReadonlySet<string> | null, isProse = false) {
  const sentences: Sentence[] = [];
  const frequency = new Map<string, number>();
  let words = 0;
  for (const passage of passages)
    for (const [nth, piece] of piecesOf(passage.text).entries()) {
      const { text } = piece;
      const counted = countWords(isProse && passage.kind === "web" ? text.replace(IDENTIFIER, " ") : text, only);
      for (const word of counted.counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
      sentences.push({ ...piece, passage, nth, ...counted });
      words += counted.length;
    }
  return { sentences, frequency, averageLength: Math.max(1, words / Math.max(1, sentences.length)) };
}

function countWords(text: string, only: ReadonlySet<string> | null): Counted {
  const all = wordsOf(text);
  const counts = new Map<string, number>();
  for (const word of all) if (only?.has(word) ?? true) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: all.length };
}

function scoreOf({ counts, length }: Counted, weight: ReadonlyMap<string, number>, averageLength: number): number {
  let score = 0;
  for (const [word, count] of counts) {
    const rarity = weight.get(word) ?? 0;
    score += (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
  }
  return score;
}

/** A sentence that occurs twice is quoted once, preferably from a place with a source number. */
function distinct(sentences: readonly Sentence[]): Quote[] {
  const byText = new Map<string, Quote>();
  for (const { text, code, head, passage } of sentences) {
    const key = text.toLowerCase();
    const known = byText.get(key);
    const isBetter = known?.passage.sid === null ? passage.sid !== null : known?.code === null && code !== null;
    if (known === undefined || isBetter) byText.set(key, { text, code, head, passage });
  }
  return [...byText.values()];
}

/**
 * The words of a text as PostgreSQL's full-text index keeps them, and a query for them.
 *
 * Words are folded here, not by PostgreSQL: case and accents gone, characters of scripts without spaces one by one, so
 * that both back ends find the same. A vector holds each word once and no positions; what was written as one run of such
 * characters is looked for in the text itself once the index has named the candidates.
 */
import { queryWords, searchText } from "../sql/search-text.ts";

/** A vector may take a megabyte; a text with more distinct words than that is kept in several. */
const MOST_BYTES = 500_000;
/** PostgreSQL takes words of 2,046 bytes. */
const LONGEST_WORD = 500;

export interface WordQuery {
  /** One per word, in PostgreSQL's syntax: an event matches when some vector of its own matches each. */
  readonly conditions: readonly string[];
  /** Whether a text that the index named really holds the words. */
  readonly isIn: (text: string) => boolean;
}

/** `within` is a word every vector carries, such as that of its scope. */
export function wordVectors(text: string, within: readonly string[]): string[] {
  const vectors: string[] = [];
  const frame = within.map(quote).join(" ");
  let words: string[] = [];
  let bytes = 0;
  for (const word of new Set(foldedWords(searchText(text)).map(cutWord))) {
    words.push(quote(word));
    bytes += Buffer.byteLength(word) + 8;
    if (bytes < MOST_BYTES) continue;
    vectors.push([frame, ...words].join(" "));
    words = [];
    bytes = 0;
  }
  if (words.length > 0) vectors.push([frame, ...words].join(" "));
  return vectors;
}

/** Null when the query holds no word. */
export function wordQuery(query: string, within: string): WordQuery | null {
  const asked = queryWords(query);
  const words = asked.map((word) => foldedWords(searchText(word)));
  const last = words.at(-1)?.at(-1);
  if (last === undefined) return null;
  const all = words.flat();
  all.pop();
  const conditions = [...new Set(all.map(cutWord))].map((word) => `${quote(within)} & ${quote(word)}`);
  conditions.push(`${quote(within)} & ${quote(cutWord(last))}${last.length > LONGEST_WORD ? "" : ":*"}`);
  const runs = asked.map(fold);
  return { conditions, isIn: (text) => holdsRuns(fold(text), runs) };
}

function holdsRuns(text: string, runs: readonly string[]): boolean {
  return runs.every((run) => text.includes(run));
}

function foldedWords(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
}

function fold(text: string): string {
  return text.toWellFormed().normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

function cutWord(word: string): string {
  return word.length <= LONGEST_WORD ? word : word.slice(0, LONGEST_WORD).toWellFormed();
}

/** Words hold letters and digits only, so that nothing in them can end the quotes. */
function quote(word: string): string {
  return `'${word}'`;
}

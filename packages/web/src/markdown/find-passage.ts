/** The passage that another text cites: the quoted words, otherwise the sentence with the most words in common. */
export interface Passage {
  readonly start: number;
  readonly end: number;
  /** Whether the words are quoted literally and not only similar. */
  readonly isQuoted: boolean;
}

const QUOTED = /[“"„«]([^“”"„«»]{8,600})[”"“»][\s.,;:)]*$/;
/** Minimum number of common words. Fewer common words can be a coincidence. */
const MIN_SHARED = 3;
const MIN_SHARE = 0.6;

/** The quotation at the end of a claim; empty without one. */
export function quotedAtEnd(claim: string): string {
  return QUOTED.exec(claim.trimEnd())?.[1]?.replace(/\s+/g, " ").trim() ?? "";
}

/** `claim` is the text before a citation. */
export function findPassage(claim: string, source: string): Passage | null {
  const quoted = quotedAtEnd(claim);
  const place = quoted === "" ? null : placeOf(quoted, source);
  return place ?? mostAlike(lastSentence(claim), source);
}

/** Ignores differences in line breaks, apostrophes, and the marks of code and emphasis. */
function placeOf(words: string, source: string): Passage | null {
  const pattern = words
    .split(" ")
    .map((word) => [...word.replace(/[`*]/g, "")].map(patternOf).join("[`*]*"))
    .filter((word) => word !== "")
    .join("[`*\\s]+");
  if (pattern === "") return null;
  const found = new RegExp(pattern).exec(source);
  return found === null ? null : { start: found.index, end: found.index + found[0].length, isQuoted: true };
}

function patternOf(letter: string): string {
  return letter === "'" || letter === "’" ? "['’]" : RegExp.escape(letter);
}

function lastSentence(claim: string): string {
  const sentences = claim.trim().split(/(?<=[.!?…。！？])\s+|\n+/);
  return sentences.at(-1) ?? "";
}

function mostAlike(sentence: string, source: string): Passage | null {
  const wanted = wordsOf(sentence);
  const fewest = Math.max(MIN_SHARED, Math.ceil(wanted.size * MIN_SHARE));
  let best: Passage | null = null;
  let most = fewest - 1;
  for (const { 0: text, index } of source.matchAll(/[^.!?…。！？\n]+[.!?…。！？]*/g)) {
    const shared = wordsOf(text).intersection(wanted).size;
    if (shared <= most) continue;
    most = shared;
    const start = index + text.length - text.trimStart().length;
    best = { start, end: index + text.trimEnd().length, isQuoted: false };
  }
  return best;
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{N}+|[\p{L}\p{M}]{4,}/gu) ?? []);
}

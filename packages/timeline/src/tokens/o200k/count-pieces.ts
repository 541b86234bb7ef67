/**
 * Counts tokens as `o200k_base` does. A regular expression splits the text into pieces: words, numbers of up to three
 * digits, punctuation, white space. A piece that is a token counts as one. Any other piece begins as single bytes. The
 * two neighbours that form the token with the lowest rank are joined, again and again, until no neighbours form a token.
 */
import type { CountTokens } from "../../base/ports.ts";
import { NumberHeap } from "./number-heap.ts";
import type { TokenTable } from "./token-table.ts";

/**
 * English letters, digits and punctuation, arrows and signs such as ✓. For such a text, a pattern without classes of
 * Unicode splits as the other pattern does.
 */
const SIMPLE = /^[\x00-\x7f\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u2775]*$/;

const pattern = (upper: string, lower: string, letter: string, digit: string): string => {
  const contraction = "(?:'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE]))?";
  return [
    `[^\\r\\n${letter}${digit}]?[${upper}]*[${lower}]+${contraction}`,
    `[^\\r\\n${letter}${digit}]?[${upper}]+[${lower}]*${contraction}`,
    `[${digit}]{1,3}`,
    ` ?[^\\s${letter}${digit}]+[\\r\\n/]*`,
    "\\s*[\\r\\n]+",
    "\\s+(?!\\S)",
    "\\s+",
  ].join("|");
};

const NONE = 0x7fffffff;
/** Larger than any position in a piece. Ranks multiplied by this number are still safe integers. */
const RANK_STEP = 2 ** 24;

export function pieceCounter(table: TokenTable): CountTokens {
  const simple = new RegExp(pattern("A-Z", "a-z", "A-Za-z", "0-9"), "g");
  let unicode: RegExp | null = null;
  const patternFor = (text: string): RegExp => {
    if (SIMPLE.test(text)) return simple;
    unicode ??= unicodePattern();
    return unicode;
  };
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(1_024);
  return (text) => {
    let tokens = 0;
    const next = patternFor(text);
    // Every character is in a piece, so a piece begins where the one before it ends.
    for (let from = 0; next.test(text); from = next.lastIndex) {
      const to = next.lastIndex;
      if (bytes.length < (to - from) * 3) bytes = new Uint8Array((to - from) * 6);
      if (writeAscii(text, from, to, bytes)) tokens += countPiece(table, bytes, to - from, true);
      else {
        const piece = text.slice(from, to);
        // A lone surrogate is written as U+FFFD. A piece with a lone surrogate is not looked up whole.
        tokens += countPiece(table, bytes, encoder.encodeInto(piece, bytes).written, piece.isWellFormed());
      }
    }
    return tokens;
  };
}

function countPiece(table: TokenTable, bytes: Uint8Array, length: number, isText: boolean): number {
  const isToken = isText && !isMarked(bytes, 0, length) && table.rankOf(bytes, 0, length) !== -1;
  return isToken ? 1 : countMerged(table, bytes, length);
}

/** The pattern with classes of Unicode. Compiling it takes some milliseconds, so the first text that needs it waits. */
function unicodePattern(): RegExp {
  const upper = "\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}";
  const lower = "\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}";
  return new RegExp(pattern(upper, lower, "\\p{L}", "\\p{N}"), "gu");
}

/** Writes a piece that is all ASCII as bytes; returns false for any other piece. */
function writeAscii(text: string, from: number, to: number, bytes: Uint8Array): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return false;
    bytes[at - from] = code;
  }
  return true;
}

/**
 * Finding the lowest rank by looking at every pair takes quadratic time, so pairs wait in a heap. An entry is a rank and
 * the start of its pair, as one number: the lowest rank is first, and of equal ranks the leftmost. An entry whose pair has
 * changed since is skipped.
 */
function countMerged(table: TokenTable, bytes: Uint8Array, length: number): number {
  // A part begins at its number and ends where the next one begins. `ranks` has the rank of the token that a part forms
  // with the next one.
  const next = Int32Array.from({ length: length + 1 }, (_, at) => at + 1);
  const previous = Int32Array.from({ length: length + 1 }, (_, at) => at - 1);
  const ranks = new Int32Array(length).fill(NONE);
  const heap = new NumberHeap();
  const rate = (part: number) => {
    const second = next[part] ?? length;
    const end = second < length ? (next[second] ?? length) : length + 1;
    const rank = rankOfPair(table, bytes, part, end, length);
    ranks[part] = rank;
    if (rank !== NONE) heap.push(rank * RANK_STEP + part);
  };
  for (let part = 0; part + 1 < length; part++) rate(part);
  let parts = length;
  for (let entry = heap.pop(); entry !== undefined; entry = heap.pop()) {
    const part = entry % RANK_STEP;
    if (ranks[part] !== (entry - part) / RANK_STEP) continue;
    const joined = next[part] ?? length;
    const after = next[joined] ?? length;
    ranks[joined] = NONE;
    next[part] = after;
    previous[after] = part;
    parts--;
    const before = previous[part] ?? -1;
    if (before >= 0) rate(before);
    rate(part);
  }
  return parts;
}

/**
 * The rank of the token that two parts form. Stored journals were counted by a tokenizer that drops a byte order mark
 * before it looks up whole characters, so this counts in the same way.
 */
function rankOfPair(table: TokenTable, bytes: Uint8Array, from: number, to: number, length: number): number {
  if (to > length) return NONE;
  const isWhole = to === length || ((bytes[to] ?? 0) & 0xc0) !== 0x80;
  const start = isWhole && isMarked(bytes, from, to) ? from + 3 : from;
  const isFound = start === from || (start < to && !isMarked(bytes, start, to));
  const rank = isFound ? table.rankOf(bytes, start, to) : -1;
  return rank === -1 ? NONE : rank;
}

function isMarked(bytes: Uint8Array, from: number, to: number): boolean {
  return to - from >= 3 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf;
}

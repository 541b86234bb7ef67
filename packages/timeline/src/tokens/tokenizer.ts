/**
 * Counting the tokens of a text.
 *
 * The tokenizer is loaded when it is first needed, as its tables are large. Text is data: the names of special tokens
 * (`<|endoftext|>`) in it are counted letter by letter like any other text.
 *
 * Byte-pair merging takes quadratic time within one unbroken run, a word or a stretch of spaces. Runs are therefore cut
 * every `MAX_RUN` characters before counting, never inside a surrogate pair. Words of people are shorter, so ordinary
 * text is counted exactly; in other texts, a cut costs about one token in `MAX_RUN` characters.
 *
 * In a text longer than `MAX_COUNTED` characters, evenly spread samples are counted and the result is scaled up, so
 * counting takes a fraction of a second for any length. A text that long is rarely shown whole.
 */
import type { CountTokens } from "../base/ports.ts";
import { keepCounts } from "./kept-counts.ts";
import { pieceCounter } from "./o200k/count-pieces.ts";
import { TokenTable } from "./o200k/token-table.ts";

export const MAX_RUN = 128;
export const MAX_COUNTED = 1_000_000;
const SAMPLES = 32;
const SAMPLE_CHARS = 16_384;

interface NodeFiles {
  readonly existsSync: (file: URL) => boolean;
  readonly readFileSync: (file: URL, encoding: "latin1") => string;
}

const { process } = globalThis as { process?: { getBuiltinModule?: (name: "node:fs") => NodeFiles } };

/** Loads the table of tokens, which takes some milliseconds. */
export async function loadTokenizer(): Promise<CountTokens> {
  const countPiece = pieceCounter(new TokenTable(readTable() ?? (await importTable())));
  const count = (text: string) => {
    let tokens = 0;
    for (const piece of boundRuns(text)) tokens += countPiece(piece);
    return tokens;
  };
  return keepCounts((text) => (text.length <= MAX_COUNTED ? count(text) : estimateFromSamples(text, count)));
}

/** Node reads the file in half the time that an import takes. Null in browsers, and in bundles without the file. */
function readTable(): string | null {
  const files = process?.getBuiltinModule?.("node:fs");
  if (files === undefined) return null;
  const file = new URL("./o200k/o200k.json", import.meta.url);
  if (!files.existsSync(file)) return null;
  const json = files.readFileSync(file, "latin1");
  return json.slice(1, json.lastIndexOf('"'));
}

async function importTable(): Promise<string> {
  return (await import("./o200k/o200k.json", { with: { type: "json" } })).default;
}

/** The first and the last sample are the beginning and the end of the text. */
function estimateFromSamples(text: string, count: CountTokens): number {
  const step = (text.length - SAMPLE_CHARS) / (SAMPLES - 1);
  let tokens = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const start = Math.floor(sample * step);
    tokens += count(text.slice(start, start + SAMPLE_CHARS).toWellFormed());
  }
  return Math.ceil((tokens * text.length) / (SAMPLES * SAMPLE_CHARS));
}

/** Cuts `text` so that no piece holds an unbroken run longer than `MAX_RUN`. The pieces together are the text. */
export function boundRuns(text: string): string[] {
  if (!mayHaveLongRun(text)) return [text];
  const pieces: string[] = [];
  let start = 0;
  let runStart = 0;
  let runKind = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kind = kindOf(code);
    if (kind !== runKind) {
      runKind = kind;
      runStart = index;
    } else if (index - runStart >= MAX_RUN && (code & 0xfc00) !== 0xdc00) {
      pieces.push(text.slice(start, index));
      start = index;
      runStart = index;
    }
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}

/** Looks at few characters: a run longer than `MAX_RUN` contains two of these places with all characters between them. */
function mayHaveLongRun(text: string): boolean {
  const step = MAX_RUN / 2;
  for (let place = step; place < text.length; place += step) {
    const kind = kindOf(text.charCodeAt(place));
    let at = place - 1;
    while (at >= place - step && kindOf(text.charCodeAt(at)) === kind) at--;
    if (at < place - step) return true;
  }
  return false;
}

/** Kinds of characters that the tokenizer never joins: white space, digits (at most three at a time), all others. */
function kindOf(code: number): number {
  if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) return 0;
  if (code >= 0x30 && code <= 0x39) return 1;
  return code < 0x80 ? 2 : isWideSpace(code) ? 0 : 2;
}

function isWideSpace(code: number): boolean {
  if (code === 0xa0 || code === 0x1680 || code === 0x3000 || code === 0xfeff) return true;
  return (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f;
}

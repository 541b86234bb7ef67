/**
 * Lines of code for the template: pieces of one colour, each split into parts between which the line may break. A line
 * breaks at spaces; a run without spaces that is longer than half a line, as in minified code, may break anywhere.
 */
import { type CodePiece, highlightLines } from "../model/highlight.ts";
import { cutWord, drawable } from "../model/readable-text.ts";

type DrawnPiece = readonly [parts: readonly string[]] | readonly [parts: readonly string[], colour: string];

export function codeLines(text: string, language: string | null, charactersALine: number): DrawnPiece[][] {
  return highlightLines(drawable(text), language).map((line) => breakLine(line, charactersALine));
}

function breakLine(line: readonly CodePiece[], charactersALine: number): DrawnPiece[] {
  const text = line.map((piece) => piece.text).join("");
  const long = text.length <= charactersALine ? [] : longRuns(text, charactersALine / 2);
  let at = 0;
  return line.map(({ text: words, colour }) => {
    const parts = cutRuns(words, at, long);
    at += words.length;
    return colour === null ? [parts] : [parts, colour];
  });
}

interface Run {
  readonly from: number;
  readonly to: number;
}

function longRuns(text: string, longest: number): Run[] {
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: run, index }) =>
    run.length > longest ? [{ from: index, to: index + run.length }] : [],
  );
}

/** A piece that begins inside a long run begins with an empty part, so that the line may also break before it. */
function cutRuns(words: string, start: number, runs: readonly Run[]): string[] {
  const parts: string[] = [];
  let rest = "";
  let at = 0;
  for (const { from, to } of runs) {
    const begin = Math.max(from - start, 0);
    const end = Math.min(to - start, words.length);
    if (end <= begin) continue;
    const cut = cutWord(words.slice(begin, end));
    rest += words.slice(at, begin);
    if (from < start && begin === 0) parts.push("");
    parts.push(rest + (cut[0] ?? ""), ...cut.slice(1, -1));
    rest = cut.length > 1 ? (cut.at(-1) ?? "") : "";
    at = end;
  }
  return [...parts, rest + words.slice(at)];
}

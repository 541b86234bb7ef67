/**
 * Finds the place of a hunk in a file that may have changed since the diff was made.
 *
 * Lines are compared in three ways, strictest first: exactly; without trailing white space; with every run of white
 * space as one space and none at the ends. Then the same is tried without up to two context lines at either end, fewest
 * first, as long as one line that is not blank remains. Within one attempt the place nearest to the expected one wins;
 * places before `from` belong to earlier hunks.
 */
import { findNearest, UNKNOWN_LINE } from "./find-lines.ts";
import type { HunkLine } from "./parse-patch.ts";

export interface Placement {
  /** Index in the file of the first line of the hunk that was not left out, counted from 0. */
  readonly start: number;
  /** The lines of the hunk without the context that was left out. */
  readonly lines: readonly HunkLine[];
  /** How many lines were left out at the beginning. */
  readonly skipped: number;
}

export type LocateHunk = (lines: readonly HunkLine[], from: number, expected: number) => Placement | null;

const READINGS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim().replace(/\s+/g, " "),
];

/** Context lines left out at the beginning and at the end, fewest first. */
const OMISSIONS = [0, 1, 2, 3, 4].flatMap((total) =>
  [0, 1, 2].filter((head) => total - head >= 0 && total - head <= 2).map((head) => ({ head, foot: total - head })),
);

export function makeLocator(file: readonly string[]): LocateHunk {
  const numberings: (Numbering | undefined)[] = READINGS.map(() => undefined);

  return (lines, from, expected) => {
    const { head, foot } = contextAround(lines);
    for (const omitted of OMISSIONS) {
      if (omitted.head > head || omitted.foot > foot) continue;
      const kept = lines.slice(omitted.head, lines.length - omitted.foot);
      const old = kept.filter((line) => line.kind !== "added");
      if (old.length === 0 && lines.length === kept.length)
        return { start: Math.min(Math.max(expected, from), file.length), lines, skipped: 0 };
      if (lines.length > kept.length && !old.some((line) => line.text.trim() !== "")) continue;
      let lastSize = -1;
      for (const [index, read] of READINGS.entries()) {
        numberings[index] ??= numberLines(file, read);
        const { numbers, numberOf } = numberings[index];
        // A looser comparison finds nothing new if it makes no further lines of the file equal.
        if (numberOf.size === lastSize) continue;
        const run = Int32Array.from(old, (line) => numberOf.get(read(line.text)) ?? UNKNOWN_LINE);
        lastSize = run.includes(UNKNOWN_LINE) ? -1 : numberOf.size;
        const start = findNearest(numbers, run, from, expected + omitted.head);
        if (start !== -1) return { start, lines: kept, skipped: omitted.head };
      }
    }
    return null;
  };
}

/** Context lines before the first change and after the last; none when the hunk changes nothing. */
function contextAround(lines: readonly HunkLine[]): { head: number; foot: number } {
  const first = lines.findIndex((line) => line.kind !== "context");
  if (first === -1) return { head: 0, foot: 0 };
  return { head: first, foot: lines.length - 1 - lines.findLastIndex((line) => line.kind !== "context") };
}

interface Numbering {
  readonly numbers: Int32Array;
  readonly numberOf: ReadonlyMap<string, number>;
}

/** Gives equal lines equal numbers, so that lines of any length compare in one step. */
function numberLines(file: readonly string[], read: (line: string) => string): Numbering {
  const numberOf = new Map<string, number>();
  const numbers = Int32Array.from(file, (line) => {
    const key = read(line);
    const known = numberOf.get(key);
    if (known !== undefined) return known;
    numberOf.set(key, numberOf.size);
    return numberOf.size - 1;
  });
  return { numbers, numberOf };
}

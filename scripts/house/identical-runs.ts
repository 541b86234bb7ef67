/**
 * Identical code in two places: pairs of places that share at least six lines in a row, to the letter. White space at
 * the ends of a line does not count. Blank lines, comments, imports and lines of punctuation alone are skipped.
 *
 * A run that is in more than eight places is a common idiom and is not counted. Two files are one pair, however many
 * runs they share; so is a file that repeats itself.
 */
export interface IdenticalPair {
  /** `file:line` of the longest shared run. */
  readonly places: readonly [string, string];
  readonly lines: number;
}

const RUN = 6;
const MAX_PLACES = 8;
const SKIPPED = /^(?:$|\/\/|\/\*|\*|[^\p{L}\p{N}]+$)/u;
const IMPORTS = /^(?:import|export)\b(?:[^;'"=(]*\bfrom)? ?"[^"]*".*;$/gm;

interface Line {
  readonly text: string;
  readonly number: number;
}

interface Place {
  readonly path: string;
  readonly at: number;
}

/** `texts`: file contents by path. */
export function identicalPairs(texts: ReadonlyMap<string, string>): IdenticalPair[] {
  const lines = new Map([...texts].map(([path, text]) => [path, linesOf(text)]));
  const places = new Map<string, Place[]>();
  for (const [path, all] of lines)
    for (let at = 0; at + RUN <= all.length; at++) {
      const run = textOf(all, at);
      places.set(run, [...(places.get(run) ?? []), { path, at }]);
    }
  const pairs = new Map<string, IdenticalPair>();
  for (const found of places.values())
    if (found.length > 1 && found.length <= MAX_PLACES)
      for (const [index, first] of found.entries())
        for (const second of found.slice(index + 1)) {
          // The windows of one repeated line overlap; they are one run.
          if (first.path === second.path && second.at - first.at < RUN) continue;
          const key = [first.path, second.path].sort().join("\n");
          const pair = describe(lines, first, second);
          if (pair.lines > (pairs.get(key)?.lines ?? 0)) pairs.set(key, pair);
        }
  return [...pairs.values()].sort((a, b) => b.lines - a.lines || (a.places[0] < b.places[0] ? -1 : 1));
}

function describe(lines: ReadonlyMap<string, readonly Line[]>, first: Place, second: Place): IdenticalPair {
  const [a, b] = [lines.get(first.path) ?? [], lines.get(second.path) ?? []];
  let length = RUN;
  while (a[first.at + length] !== undefined && a[first.at + length]?.text === b[second.at + length]?.text) length++;
  const name = ({ path, at }: Place, all: readonly Line[]) => `${path}:${all[at]?.number}`;
  return { places: [name(first, a), name(second, b)], lines: length };
}

function linesOf(text: string): Line[] {
  // Removed lines stay as empty lines, so that line numbers do not change.
  const withoutImports = text.replaceAll(IMPORTS, (statement) => statement.replaceAll(/[^\n]+/g, ""));
  const trimmed = withoutImports.split("\n").map((line, index) => ({ text: line.trim(), number: index + 1 }));
  return trimmed.filter((line) => !SKIPPED.test(line.text));
}

function textOf(all: readonly Line[], at: number): string {
  return all
    .slice(at, at + RUN)
    .map(({ text }) => text)
    .join("\n");
}

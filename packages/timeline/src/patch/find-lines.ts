/**
 * Finds a run of lines, given as numbers, at the place nearest to where it is expected.
 *
 * The search is one Knuth-Morris-Pratt scan from `from`, which stops as soon as no later place can be nearer: time is
 * linear in the lines looked at, however repetitive the file. Of two equally near places, the later one is used.
 */
export function findNearest(lines: Int32Array, run: Int32Array, from: number, expected: number): number {
  const size = run.length;
  if (from + size > lines.length || run.includes(UNKNOWN_LINE)) return -1;
  if (standsAt(lines, run, expected, from)) return expected;

  const borders = bordersOf(run);
  let best = -1;
  let matched = 0;
  for (let index = from; index < lines.length; index++) {
    const earliest = index - size + 1;
    if (best !== -1 && earliest - expected > expected - best) break;
    while (matched > 0 && lines[index] !== run[matched]) matched = borders[matched - 1] ?? 0;
    if (lines[index] === run[matched]) matched++;
    if (matched < size) continue;
    if (earliest >= expected) return earliest;
    best = earliest;
    matched = borders[matched - 1] ?? 0;
  }
  return best;
}

/** The number of a line that does not occur in the file. */
export const UNKNOWN_LINE = -1;

function standsAt(lines: Int32Array, run: Int32Array, place: number, from: number): boolean {
  if (place < from || place + run.length > lines.length) return false;
  for (let index = 0; index < run.length; index++) if (lines[place + index] !== run[index]) return false;
  return true;
}

/** The length of the longest proper border of each prefix of `run` (Knuth-Morris-Pratt). */
function bordersOf(run: Int32Array): Int32Array {
  const borders = new Int32Array(run.length);
  let length = 0;
  for (let index = 1; index < run.length; index++) {
    while (length > 0 && run[index] !== run[length]) length = borders[length - 1] ?? 0;
    if (run[index] === run[length]) length++;
    borders[index] = length;
  }
  return borders;
}

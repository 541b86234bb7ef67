/**
 * Folding: shortens the lines of the pool when they would exceed their share of the window.
 *
 * Rows that are not pinned fold into ranges, oldest first, and only as many as needed. A range is a run of consecutive
 * SIDs, so that its selector names exactly the folded rows. Between two pinned rows, a run may be a single row. A run
 * stays unfolded if its range would cost as much as its rows. This file never folds pinned rows, even when the budget is
 * exceeded; beyond the limit of the tail, `sources-tail.ts` pins no row.
 */
import type { CountTokens } from "../base/ports.ts";
import { READ_TOOL } from "../tool/named-tools.ts";

export interface PoolLine {
  readonly sid: number;
  readonly text: string;
  readonly tokens: number;
}

/** Lines in ascending order of SID, folded until they and `extra` together take at most `budget` tokens. */
export function foldLines(
  lines: readonly PoolLine[],
  extra: number,
  budget: number,
  isPinned: (sid: number) => boolean,
  countTokens: CountTokens,
): string[] {
  let total = extra;
  for (const line of lines) total += line.tokens;
  const output: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const run = total > budget ? runFrom(lines, at, isPinned) : at;
    const fold = run > at ? foldRun(lines, at, run, total - budget, countTokens) : null;
    if (fold === null) {
      const end = Math.max(run, at + 1);
      for (; at < end; at++) output.push(lines[at]?.text ?? "");
    } else {
      output.push(fold.text);
      total -= fold.saved;
      at = fold.end;
    }
  }
  return output;
}

/** Index just past the run of unpinned, consecutive SIDs from `start`; `start` itself when its row is pinned. */
function runFrom(lines: readonly PoolLine[], start: number, isPinned: (sid: number) => boolean): number {
  let end = start;
  for (let line = lines[end]; line !== undefined; line = lines[end]) {
    const previous = end > start ? lines[end - 1] : undefined;
    if (isPinned(line.sid) || (previous !== undefined && line.sid !== previous.sid + 1)) break;
    end++;
  }
  return end;
}

interface Fold {
  readonly text: string;
  readonly saved: number;
  readonly end: number;
}

/**
 * Folds as few rows from `start` as save `excess` tokens, or the whole run; null when that saves nothing. The cost of
 * the range is counted only once the rows alone save enough, so few rows of a long run are counted.
 */
function foldRun(
  lines: readonly PoolLine[],
  start: number,
  runEnd: number,
  excess: number,
  countTokens: CountTokens,
): Fold | null {
  const first = lines[start]?.sid ?? 0;
  let freed = 0;
  for (let at = start; at < runEnd; at++) {
    freed += lines[at]?.tokens ?? 0;
    const end = at + 1;
    if (freed < excess && end < runEnd) continue;
    const text = rangeLine(first, lines[at]?.sid ?? 0, end - start);
    const saved = freed - countTokens(`${text}\n`);
    if (saved >= excess) return { text, saved, end };
    if (end === runEnd) return saved > 0 ? { text, saved, end } : null;
  }
  return null;
}

function rangeLine(first: number, last: number, count: number): string {
  const range = first === last ? `${first}` : `${first}-${last}`;
  return `[S:${range}] ${count} more: ${READ_TOOL} so:sources_pool[${range}]`;
}

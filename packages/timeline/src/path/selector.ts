/**
 * Selectors of pool rows. Accepted: a comma list of `n`, `a-b` and `a:b` (inclusive), spaces and tabs allowed around
 * every part, reversed ranges read in ascending order. Canonical form: ascending, without repeats, each run of two or
 * more as `a-b`, no spaces.
 *
 * A selector is parsed into ranges, and their sizes are summed before any range is expanded, so `1-999999999999` costs
 * nothing. The limit counts distinct ids.
 */
import { CairnError } from "../base/error.ts";

/** Rows `from` to `to`, both included. */
export interface SidRange {
  readonly from: number;
  readonly to: number;
}

const MAX_SELECTED = 10_000;

const PART = /^[ \t]*([0-9]+)[ \t]*(?:[-:][ \t]*([0-9]+)[ \t]*)?$/;

/** Reads a selector into ascending ranges that neither touch nor overlap. */
export function parseSelector(text: string): readonly SidRange[] {
  const ranges: SidRange[] = [];
  for (const part of text.split(",")) {
    const match = PART.exec(part);
    if (match === null) throw badSelector(text);
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    if (Math.abs(last - first) >= MAX_SELECTED) throw selectorTooLarge(text);
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) throw badSelector(text);
    ranges.push({ from: Math.min(first, last), to: Math.max(first, last) });
  }
  const joined = joinRanges(ranges);
  let size = 0;
  for (const range of joined) size += range.to - range.from + 1;
  if (size > MAX_SELECTED) throw selectorTooLarge(text);
  return joined;
}

/** Parses `so:sources_pool[1-3]`, `sources_pool[1-3]` or `1-3`, which mean the same. */
export function parsePoolSelector(text: string): readonly SidRange[] {
  const trimmed = text.trim();
  const start = trimmed.startsWith("so:") ? 3 : 0;
  if (!trimmed.startsWith("sources_pool", start)) {
    if (start > 0) throw badSelector(text);
    return parseSelector(trimmed);
  }
  const inner = trimmed.slice(start + "sources_pool".length);
  if (!inner.startsWith("[") || !inner.endsWith("]")) throw badSelector(text);
  return parseSelector(inner.slice(1, -1));
}

/** The ids of a parsed selector, ascending. */
export function expandRanges(ranges: readonly SidRange[]): number[] {
  const sids: number[] = [];
  for (const range of ranges) for (let sid = range.from; sid <= range.to; sid++) sids.push(sid);
  return sids;
}

/** The canonical spelling of a set of ids, in any order and with repeats; empty for none. */
export function formatSelector(sids: Iterable<number>): string {
  const ranges: SidRange[] = [];
  for (const sid of sids) {
    if (!Number.isSafeInteger(sid) || sid < 0) throw badSelector(String(sid));
    ranges.push({ from: sid, to: sid });
  }
  return formatRanges(joinRanges(ranges));
}

export function formatRanges(ranges: readonly SidRange[]): string {
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

function joinRanges(ranges: SidRange[]): SidRange[] {
  ranges.sort((a, b) => a.from - b.from);
  const joined: SidRange[] = [];
  let last: SidRange | undefined;
  for (const range of ranges) {
    if (last !== undefined && range.from <= last.to + 1) {
      last = { from: last.from, to: Math.max(last.to, range.to) };
      joined[joined.length - 1] = last;
    } else {
      last = range;
      joined.push(range);
    }
  }
  return joined;
}

function badSelector(text: string): CairnError {
  const selector = text.slice(0, 120);
  return new CairnError(
    "bad_selector",
    `${JSON.stringify(selector)} does not select sources. Write ids and ranges, like 1-3,5.`,
    { selector },
  );
}

function selectorTooLarge(text: string): CairnError {
  const selector = text.slice(0, 120);
  return new CairnError(
    "selector_too_large",
    `${JSON.stringify(selector)} selects more than ${MAX_SELECTED} sources. Ask for a smaller range.`,
    { selector, limit: MAX_SELECTED },
  );
}

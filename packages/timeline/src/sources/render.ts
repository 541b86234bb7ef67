/**
 * The pool's tail block: a header and one line per row, in the order of SIDs. An empty pool renders nothing.
 *
 * The header always says `sources`, even for one source, so that it is one fixed pattern. Lines are cached by row and
 * estimator, because rows are immutable and most of a long pool does not change between two renders. The tokens
 * compared with the budget are the sum over the lines.
 */
import type { CountTokens } from "../base/ports.ts";
import { foldLines, type PoolLine } from "./fold.ts";
import { renderRow } from "./line.ts";
import { createPool, SourcesPool } from "./pool.ts";
import { checkRows, isSid, type SourceRow } from "./row.ts";

export interface RenderSourcesOptions {
  /** The token estimator (default: a quarter of the number of characters). */
  readonly countTokens?: CountTokens | undefined;
  /** The budget of the block: 15 % of the model's window. Without a budget, every row is shown. */
  readonly budgetTokens?: number | undefined;
  /** Whether a row is cited or read in the visible context, and therefore never folded. */
  readonly isPinned?: ((sid: number) => boolean) | undefined;
}

export function renderSources(pool: SourcesPool | readonly SourceRow[], options: RenderSourcesOptions = {}): string {
  const rows = inOrder(pool);
  if (rows.length === 0) return "";
  const { countTokens = fourthOfCharacters, budgetTokens, isPinned = () => false } = options;
  const header = `SOURCES POOL (${rows.length} sources)`;
  const cache = lineCache(countTokens);
  if (budgetTokens === undefined)
    return [header, ...rows.map((row) => cached(row, cache, countTokens).text)].join("\n");
  const lines = rows.map((row) => cachedLine(row, cache, countTokens));
  return [header, ...foldLines(lines, countTokens(`${header}\n`), budgetTokens, isPinned, countTokens)].join("\n");
}

function fourthOfCharacters(text: string): number {
  return Math.ceil(text.length / 4);
}

interface CachedLine {
  readonly text: string;
  counted: PoolLine | null;
}

type LineCache = WeakMap<SourceRow, CachedLine>;

const caches = new WeakMap<CountTokens, LineCache>();

function lineCache(countTokens: CountTokens): LineCache {
  let cache = caches.get(countTokens);
  if (cache === undefined) {
    cache = new WeakMap();
    caches.set(countTokens, cache);
  }
  return cache;
}

function cached(row: SourceRow, cache: LineCache, countTokens: CountTokens): CachedLine {
  let line = cache.get(row);
  if (line === undefined) {
    line = { text: renderRow(row, countTokens), counted: null };
    cache.set(row, line);
  }
  return line;
}

function cachedLine(row: SourceRow, cache: LineCache, countTokens: CountTokens): PoolLine {
  const line = cached(row, cache, countTokens);
  line.counted ??= { sid: row.sid, text: line.text, tokens: countTokens(`${line.text}\n`) };
  return line.counted;
}

/** Rows sorted by SID. Rows of a plain list that lack a SID get one, as in any pool. */
function inOrder(pool: SourcesPool | readonly SourceRow[]): readonly SourceRow[] {
  if (!(pool instanceof SourcesPool)) checkRows(pool);
  const rows =
    pool instanceof SourcesPool ? pool.rows() : pool.every((row) => isSid(row.sid)) ? pool : createPool(pool).rows();
  let last = 0;
  for (const { sid } of rows) {
    if (sid < last) return [...rows].sort((a, b) => a.sid - b.sid);
    last = sid;
  }
  return rows;
}

/**
 * The sources block of the tail, kept up to date as the pool grows.
 *
 * The text of the block equals that of `renderSources`, which builds the block from scratch. This class keeps the line
 * of every row, so a render only costs the rows that changed. Rows are immutable: a line is valid as long as the pool
 * contains the same row object. Changed rows are found by comparing references, about a nanosecond each. Only a pool
 * that must fold is processed as a whole.
 */
import type { CountTokens } from "../base/ports.ts";
import { inOnePiece } from "../message/paragraph.ts";
import { foldLines, type PoolLine } from "../sources/fold.ts";
import { renderRow } from "../sources/line.ts";
import type { SourcesPool } from "../sources/pool.ts";
import type { SourceRow } from "../sources/row.ts";

export interface Folding {
  /** Above this number of tokens, rows are folded: several rows become one line. */
  readonly budgetTokens: number;
  /** Above this number of tokens, pinned rows are folded too. */
  readonly mostTokens: number;
  /** SIDs that fold last. The set may grow between calls. */
  readonly pinned: () => ReadonlySet<number>;
}

interface FoldedText {
  readonly text: string;
  readonly budget: number;
  readonly most: number;
  readonly pinned: ReadonlySet<number>;
  readonly pins: number;
}

export class SourcesTail {
  readonly countTokens: CountTokens;
  #pool: SourcesPool | null = null;
  #revision = -1;
  /** The rows that have a line, and their lines. */
  #rows: SourceRow[] = [];
  #lines: string[] = [];
  /** All lines as one text, each after a line break. */
  #body = "";
  /** The lines whose tokens were counted, with the counts. */
  #counted: PoolLine[] = [];
  #tokens = 0;
  #folded: FoldedText | null = null;

  constructor(countTokens: CountTokens) {
    this.countTokens = countTokens;
  }

  /** The block's text; empty for an empty pool. */
  text(pool: SourcesPool, folding: Folding | null): string {
    if (pool !== this.#pool || pool.revision !== this.#revision) this.#follow(pool);
    if (this.#rows.length === 0) return "";
    const header = `SOURCES POOL (${this.#rows.length} sources)`;
    if (folding === null) return header + this.#body;
    const tokens = this.countTokens(`${header}\n`);
    return tokens + this.#countLines() <= folding.budgetTokens
      ? header + this.#body
      : this.#fold(header, tokens, folding);
  }

  #follow(pool: SourcesPool): void {
    this.#pool = pool;
    this.#revision = pool.revision;
    this.#folded = null;
    const rows = pool.rows();
    if (rows.length < this.#rows.length) this.#clear();
    if (this.#take(rows)) return;
    this.#clear();
    this.#take([...rows].sort((a, b) => a.sid - b.sid));
  }

  #clear(): void {
    this.#rows = [];
    this.#lines = [];
    this.#body = "";
    this.#counted = [];
    this.#tokens = 0;
  }

  /** Adds lines for new rows. Returns false as soon as the rows turn out not to ascend by SID. */
  #take(rows: readonly SourceRow[]): boolean {
    const known = this.#rows;
    const before = known.length;
    let moved = false;
    for (let at = 0; at < before; at++) {
      if (rows[at] === known[at]) continue;
      if (!this.#setLine(rows, at)) return false;
      moved = true;
    }
    for (let at = before; at < rows.length; at++) if (!this.#setLine(rows, at)) return false;
    this.#body = moved ? joined(this.#lines, 0) : this.#body + joined(this.#lines, before);
    return true;
  }

  #setLine(rows: readonly SourceRow[], at: number): boolean {
    const row = rows[at];
    if (row === undefined || row.sid < (rows[at - 1]?.sid ?? 0) || row.sid > (rows[at + 1]?.sid ?? row.sid))
      return false;
    this.#rows[at] = row;
    this.#lines[at] = inOnePiece(renderRow(row, this.countTokens), "[S:");
    if (at < this.#counted.length) this.#count(at);
    return true;
  }

  #count(at: number): void {
    const text = this.#lines[at] ?? "";
    const line = { sid: this.#rows[at]?.sid ?? 0, text, tokens: this.countTokens(`${text}\n`) };
    this.#tokens += line.tokens - (this.#counted[at]?.tokens ?? 0);
    this.#counted[at] = line;
  }

  #countLines(): number {
    for (let at = this.#counted.length; at < this.#rows.length; at++) this.#count(at);
    return this.#tokens;
  }

  #fold(header: string, extra: number, { budgetTokens: budget, mostTokens, pinned }: Folding): string {
    const sids = pinned();
    const last = this.#folded;
    if (last?.budget === budget && last.most === mostTokens && last.pinned === sids && last.pins === sids.size)
      return last.text;
    const folded = (isPinned: (sid: number) => boolean, most: number) =>
      `${header}${joined(foldLines(this.#counted, extra, most, isPinned, this.countTokens), 0)}`;
    let text = folded((sid) => sids.has(sid), budget);
    if (mostTokens < Number.POSITIVE_INFINITY && this.countTokens(text) > mostTokens)
      text = folded(() => false, mostTokens);
    this.#folded = { text, budget, most: mostTokens, pinned: sids, pins: sids.size };
    return text;
  }
}

/** The lines from an index on, each after a line break. */
function joined(lines: readonly string[], from: number): string {
  if (from === lines.length) return "";
  return `\n${(from === 0 ? lines : lines.slice(from)).join("\n")}`;
}

/** The heights of rows: measured for rendered rows, and estimated for other rows, which nobody sees. */
import { guessHeight, type Row } from "./rows.ts";

export class RowHeights {
  readonly #measured = new Map<string, number>();
  #rows: readonly Row[] = [];
  #indexes = new Map<string, number>();
  /** The start of each row, followed by the total height. Only the first `#known` entries are valid. */
  #starts = new Float64Array(1);
  #known = 0;

  get count(): number {
    return this.#rows.length;
  }

  get total(): number {
    return this.startOf(this.#rows.length);
  }

  take(rows: readonly Row[]): void {
    if (rows === this.#rows) return;
    this.#rows = rows;
    this.#indexes = new Map(rows.map(({ key }, index) => [key, index]));
    this.#starts = new Float64Array(rows.length + 1);
    this.#known = 0;
  }

  measure(key: string, height: number): void {
    if (this.#measured.get(key) === height) return;
    this.#measured.set(key, height);
    this.#known = Math.min(this.#known, this.#indexes.get(key) ?? this.#known);
  }

  /** The index of a row; -1 if there is no such row. */
  indexOf(key: string): number {
    return this.#indexes.get(key) ?? -1;
  }

  keyAt(index: number): string | null {
    return this.#rows[index]?.key ?? null;
  }

  /** Pixels from the top of the first row to the top of this row. */
  startOf(index: number): number {
    for (; this.#known < index; this.#known++) {
      const row = this.#rows[this.#known];
      const height = row === undefined ? 0 : (this.#measured.get(row.key) ?? guessHeight(row));
      this.#starts[this.#known + 1] = (this.#starts[this.#known] ?? 0) + height;
    }
    return this.#starts[index] ?? 0;
  }

  /** The row at a distance from the top of the first row. Beyond the ends, this is the first or the last row. */
  indexAt(offset: number): number {
    let low = 0;
    let high = Math.max(0, this.#rows.length - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Collects tables while a document is read. The rows of a table inside a cell become text of that cell. */
const MAX_COLUMNS = 200;

interface OpenTable {
  cells: string[];
  /** The texts of the open cell; null between cells. */
  cell: string[] | null;
  span: number;
}

export class TableStack {
  readonly #tables: OpenTable[] = [];

  /** Whether a cell is open, so that text goes into it. */
  get isInCell(): boolean {
    return this.#tables.at(-1)?.cell != null;
  }

  openTable(): void {
    this.#tables.push({ cells: [], cell: null, span: 1 });
  }

  closeTable(): void {
    this.#tables.pop();
  }

  /** `span`: the number of columns that the cell covers. */
  openCell(span = 1): void {
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    table.cell = [];
    table.span = span;
  }

  /** Opens the table or cell that begins with this element of Office Open XML. False for other elements. */
  openElement(name: string): boolean {
    if (name === "tbl") this.openTable();
    else if (name === "tc") this.openCell();
    else return false;
    return true;
  }

  spanCell(columns: number): void {
    const table = this.#tables.at(-1);
    if (table !== undefined) table.span = columns;
  }

  addToCell(text: string): void {
    if (text.trim() !== "") this.#tables.at(-1)?.cell?.push(text.trim());
  }

  closeCell(): void {
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    const span = Number.isSafeInteger(table.span) ? Math.min(MAX_COLUMNS, Math.max(1, table.span)) : 1;
    table.cells.push((table.cell ?? []).join(" "), ...new Array<string>(span - 1).fill(""));
    table.cell = null;
  }

  /** The cells of the row that ends; null if they became part of a cell of an outer table. */
  closeRow(): readonly string[] | null {
    const table = this.#tables.at(-1);
    if (table === undefined) return null;
    const { cells } = table;
    table.cells = [];
    const around = this.#tables.at(-2);
    if (around === undefined) return cells;
    around.cell?.push(cells.filter((cell) => cell !== "").join(", "));
    return null;
  }
}

/** An HTML table as rows of equal length. A cell that spans places has its content in the first; others are empty. */
import type { DomElement } from "../../html/dom.ts";
import type { CellAlign, DocumentBlock, Inline } from "../model/document.ts";
import { collapseSpaces } from "../model/tidy-inlines.ts";

const MAX_COLUMNS = 100;

type Row = (readonly Inline[])[];

export function readTable(table: DomElement, read: (cell: DomElement) => Inline[]): DocumentBlock[] {
  const rows: { readonly cells: Row; readonly isHeader: boolean }[] = [];
  const align: CellAlign[] = [];
  let below: (number | undefined)[] = [];
  for (const row of rowsOf(table)) {
    const cells: Row = [];
    const next: (number | undefined)[] = [];
    let isHeader = row.parentNode?.localName === "thead";
    let allHeads = true;
    for (const cell of row.children) {
      if (cell.localName !== "td" && cell.localName !== "th") continue;
      while ((below[cells.length] ?? 0) > 0 && cells.length < MAX_COLUMNS) keepFree(cells, next, below);
      if (cells.length >= MAX_COLUMNS) break;
      allHeads &&= cell.localName === "th";
      align[cells.length] ??= alignOf(cell);
      const wide = span(cell, "colspan");
      const high = span(cell, "rowspan");
      for (let at = 0; at < wide && cells.length < MAX_COLUMNS; at++) {
        next[cells.length] = high - 1;
        cells.push(at === 0 ? read(cell) : []);
      }
    }
    while ((below[cells.length] ?? 0) > 0 && cells.length < MAX_COLUMNS) keepFree(cells, next, below);
    below = next;
    isHeader ||= allHeads && cells.length > 0;
    if (cells.length > 0) rows.push({ cells, isHeader });
  }
  const columns = Math.max(0, ...rows.map(({ cells }) => cells.length));
  if (columns === 0) return [];
  const fill = (cells: Row): Row => Array.from({ length: columns }, (_, at) => cells[at] ?? []);
  const first = rows[0]?.isHeader === true ? rows.shift() : undefined;
  const caption = collapseSpaces(table.querySelector("caption")?.textContent ?? "").trim();
  const block: DocumentBlock = {
    kind: "table",
    align: Array.from({ length: columns }, (_, at) => align[at] ?? null),
    header: fill(first?.cells ?? []),
    rows: rows.map(({ cells }) => fill(cells)),
  };
  const title: DocumentBlock[] =
    caption === ""
      ? []
      : [{ kind: "paragraph", children: [{ kind: "strong", children: [{ kind: "text", text: caption }] }] }];
  return [...title, block];
}

/** Rows of this table, without those of nested tables. */
function* rowsOf(table: DomElement): Generator<DomElement> {
  for (const child of table.children) {
    if (child.localName === "tr") yield child;
    else if (/^t(?:head|body|foot)$/.test(child.localName))
      for (const row of child.children) if (row.localName === "tr") yield row;
  }
}

/** Skips places that a cell of a row above extends into. */
function keepFree(cells: Row, next: (number | undefined)[], below: readonly (number | undefined)[]): void {
  next[cells.length] = (below[cells.length] ?? 1) - 1;
  cells.push([]);
}

function span(cell: DomElement, attribute: "colspan" | "rowspan"): number {
  const given = Number.parseInt(cell.getAttribute(attribute) ?? "1", 10);
  return Number.isSafeInteger(given) ? Math.min(Math.max(given, 1), MAX_COLUMNS) : 1;
}

function alignOf(cell: DomElement): CellAlign {
  const given = `${cell.getAttribute("align") ?? ""} ${cell.getAttribute("style") ?? ""}`;
  const [, side] = /(?:^|text-align\s*:\s*)(left|center|right)\b/i.exec(given) ?? [];
  const lower = side?.toLowerCase();
  return lower === "left" || lower === "center" || lower === "right" ? lower : null;
}

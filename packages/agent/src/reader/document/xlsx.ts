/**
 * The cells of a workbook, a line for each row, as a person sees them: formulas by their last value, dates as ISO dates.
 * Rows and columns without content are left out. Hidden sheets are read and marked.
 */
import { CairnError } from "@cairn/timeline/error";
import { type CellObject, read, type WorkBook, type WorkSheet } from "@e965/xlsx";
import type { PartWriter } from "./part-writer.ts";
import type { ZipArchive } from "./zip-archive.ts";

const MAX_SHEETS = 1_000;
const MAX_ROWS = 200_000;
/** Cells without a value (stubs) are read too, because a formula can be one. */
const OPTIONS = { dense: true, cellDates: true, UTC: true, sheetStubs: true, sheetRows: MAX_ROWS } as const;

export function readXlsx(archive: ZipArchive, writer: PartWriter): void {
  const book = open(archive.stored(/\.(?:xml|rels)$/i));
  for (const [at, name] of book.SheetNames.slice(0, MAX_SHEETS).entries()) {
    const sheet = book.Sheets[name];
    writer.part({ sheet: name });
    if ((book.Workbook?.Sheets?.[at]?.Hidden ?? 0) > 0) writer.remark("(hidden sheet)");
    const rows = sheet === undefined ? [] : rowsOf(sheet);
    // When the library reads a part of a sheet, it still reports the range of the whole sheet.
    const isCut = sheet?.["!fullref"] !== undefined;
    if (rows.length === 0 && !isCut) writer.remark("(empty sheet)");
    for (const row of rows) writer.row(row);
    if (isCut) writer.remark(`(Rows after row ${MAX_ROWS} were not read.)`);
  }
}

function open(bytes: Uint8Array): WorkBook {
  try {
    return read(bytes, { ...OPTIONS, type: "array" });
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : "unknown";
    throw new CairnError("unreadable", `The workbook is damaged or was not sent completely: ${why}.`);
  }
}

/** Rows with content, cut to the columns that have content in the sheet. */
function rowsOf(sheet: WorkSheet): string[][] {
  const found: Map<number, string>[] = [];
  const columns = new Set<number>();
  // Reads sparse cells, so that a cell far away from all others takes no memory for empty cells between them.
  (sheet["!data"] ?? []).forEach((cells) => {
    const row = new Map<number, string>();
    cells?.forEach((cell, column) => {
      const text = cellText(cell);
      if (text === "") return;
      row.set(column, text);
      columns.add(column);
    });
    if (row.size > 0) found.push(row);
  });
  const order = [...columns].sort((a, b) => a - b);
  return found.map((row) => order.map((column) => row.get(column) ?? ""));
}

function cellText(cell: CellObject | undefined): string {
  if (cell === undefined) return "";
  const { t, v, w, f } = cell;
  // A program that never calculates wrote the file, so the cell has a formula and no value.
  if (t === "z" || v === undefined || v === null) return f === undefined ? "" : `=${f}`;
  if (t === "d" && v instanceof Date) return dateText(v, w);
  if (t === "b") return v === true ? "TRUE" : "FALSE";
  return (w ?? String(v)).trim();
}

/** Values before the first day of spreadsheets are times of day and not dates. */
function dateText(date: Date, shown: string | undefined): string {
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1900) return shown ?? "";
  const [day = "", time = ""] = date.toISOString().slice(0, 19).split("T");
  return time === "00:00:00" ? day : `${day} ${time.replace(/:00$/, "")}`;
}

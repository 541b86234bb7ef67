/** A table as columns of texts, exact numbers or dates. */
import { exact, type Fraction } from "./fraction.ts";
import { readContinental, readEnglish } from "./number-forms.ts";

export interface Column {
  readonly name: string;
  /** The trimmed cells. */
  readonly cells: readonly string[];
  /** The number in each cell, null for an empty cell. The whole list is null if any cell has other text. */
  readonly numbers: readonly (Fraction | null)[] | null;
  /** `%` or a currency, if every number has it. */
  readonly unit: string;
  /** Year, month and day in each cell, null for an empty cell. The whole list is null if any cell has other text. */
  readonly dates: readonly (DateParts | null)[] | null;
}

export interface DateParts {
  readonly year: number;
  readonly month: number;
  /** 1 if the cell names no day. */
  readonly day: number;
}

export interface TableData {
  readonly columns: readonly Column[];
  /** Number of rows below the header. */
  readonly rowCount: number;
  /** Labels of the rows that are left out because they are totals: their first cells. */
  readonly leftOut: readonly string[];
}

const EMPTY = /^(?:|-|–|—|n\/?a|null)$/i;
const TOTAL = /^(?:(?:grand |sub)?totals?|sum|summe|gesamt(?:summe)?|insgesamt|somme|ensemble)\b/i;
const NUMBER = /^([€$£]?)\s*([-+−]?)\s*(\d[\d.,'’\s]*)\s*([€$£%]?)$/u;

/** Reads a table; null for fewer than two column names, for equal column names, and for a header without rows. */
export function readTable(text: string): TableData | null {
  const isPiped = /^\s*\|/.test(text);
  const delimiter = isPiped ? "|" : delimiterOf(text);
  const rows = (isPiped ? pipedRows(text) : delimitedRows(text, delimiter)).filter((row) => row.some((cell) => cell));
  const top = rows.findIndex((row) => new Set(row.filter((cell) => cell)).size > 1);
  const header = rows[top];
  if (header === undefined) return null;
  const below = rows.slice(top + 1);
  const isTotal = (row: readonly string[]) => TOTAL.test(row.find((cell) => cell) ?? "");
  const body = below.filter((row) => !isTotal(row));
  // A row with more cells than the header shows that the text was split at the wrong delimiter.
  if (body.length === 0 || body.some((row) => row.length > header.length)) return null;
  const cells = header.map((_, at) => body.map((row) => row[at] ?? ""));
  const isContinental =
    delimiter === ";" ||
    cells.some((each) => numbersIn(each, readEnglish) === null && numbersIn(each, readContinental));
  const [first, second] = isContinental ? [readContinental, readEnglish] : [readEnglish, readContinental];
  const isUsed = (at: number) => header[at] !== "" || cells[at]?.some((cell) => cell !== "");
  const columns = header.flatMap((name, at) => {
    if (!isUsed(at)) return [];
    const own = cells[at] ?? [];
    const numbers = numbersIn(own, first) ?? numbersIn(own, second);
    return [
      {
        name: name || `${at + 1}`,
        cells: own,
        numbers: numbers?.values ?? null,
        unit: numbers?.unit ?? "",
        dates: datesIn(own),
      },
    ];
  });
  if (new Set(columns.map((column) => column.name)).size < columns.length) return null;
  const leftOut = below.filter(isTotal).map((row) => row.find((cell) => cell) ?? "");
  return { columns, rowCount: body.length, leftOut };
}

function delimiterOf(text: string): string {
  const line = text.trimStart().split("\n", 1)[0] ?? "";
  const count = (mark: string) => line.split(mark).length;
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

function pipedRows(text: string): string[][] {
  return text
    .split("\n")
    .filter((line) => line.trimStart().startsWith("|") && !/^[\s|:-]+$/.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/^\||\|$/g, "")
        .split("|")
        .map((cell) => cell.trim()),
    );
}

/** Splits a row into cells. A cell in quotation marks may contain delimiters, line ends and doubled quotation marks. */
function delimitedRows(text: string, delimiter: string): string[][] {
  const plain = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const rows: string[][] = [[]];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at <= plain.length; at++) {
    const mark = plain[at];
    if (isQuoted && mark !== undefined) {
      if (mark !== '"') cell += mark;
      else if (plain[at + 1] === '"') cell += plain[at++];
      else isQuoted = false;
    } else if (mark === '"' && cell.trim() === "") {
      isQuoted = true;
    } else if (mark === undefined || mark === "\n" || mark === delimiter) {
      rows.at(-1)?.push(cell.trim());
      cell = "";
      if (mark === "\n") rows.push([]);
    } else cell += mark;
  }
  return rows;
}

function numbersIn(cells: readonly string[], read: (written: string) => string | null) {
  const values: (Fraction | null)[] = [];
  const units = new Set<string>();
  for (const cell of cells) {
    if (EMPTY.test(cell)) {
      values.push(null);
      continue;
    }
    const [, before = "", sign = "", digits = "", after = ""] = NUMBER.exec(cell) ?? [];
    const plain = read(
      digits
        .trim()
        .replace(/(?<=\d)\s(?=\d{3}(?!\d))/g, "")
        .replaceAll("’", "'"),
    );
    if (plain === null) return null;
    units.add(before || after);
    values.push(exact(sign === "-" || sign === "−" ? `-${plain}` : plain));
  }
  const [unit = ""] = units;
  return units.size === 1 ? { values, unit } : null;
}

function datesIn(cells: readonly string[]): (DateParts | null)[] | null {
  const dates = cells.map((cell) => (EMPTY.test(cell) ? null : dateOf(cell)));
  return dates.some((date) => date !== null) && dates.every((date) => date !== undefined)
    ? dates.map((date) => date ?? null)
    : null;
}

/** Reads a date if it has the same meaning in every country: `2026-01-31`, `2026-01` and `31.1.2026`. */
function dateOf(cell: string): DateParts | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ].*)?)?$/.exec(cell) ?? [];
  const [, dayBefore, monthAfter, yearAfter] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(cell) ?? [];
  const date = {
    year: Number(year ?? yearAfter),
    month: Number(month ?? monthAfter),
    day: Number(day ?? dayBefore ?? 1),
  };
  return date.month >= 1 && date.month <= 12 ? date : undefined;
}

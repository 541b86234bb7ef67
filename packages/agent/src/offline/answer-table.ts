/** Answers a question about an attached table with numbers that are computed from all its rows. */

import { understand } from "./ask-table.ts";
import { type AttachedTable, attachedTables } from "./attached-tables.ts";
import { cellText } from "./cell-text.ts";
import { add, decimal, divide, type Fraction, fraction, isLess } from "./fraction.ts";
import { GIST } from "./intent-forms.ts";
import { nameOf } from "./passages.ts";
import { type Language, languageOf } from "./phrases/language.ts";
import type { Phrases } from "./phrases/phrases.ts";
import { isPerItem } from "./plain-superlatives.ts";
import { partsOf } from "./question-parts.ts";
import type { Column, TableData } from "./read-table.ts";
import { refusal } from "./refuse-question.ts";
import { answer, type OfflineDecision, type Situation } from "./situation.ts";
import type { TableQuery, Unclear, Understood } from "./table-query.ts";

/** A longer message is a text, not a question about a table. Taking its words apart would take long. */
const MAX_QUESTION_LENGTH = 2_000;
const MAX_ROWS = 20;
/** Number of decimals of a result that is rounded. */
const MAX_DECIMALS = 4;
/** A table with fewer rows is quoted instead of computed with. */
const MIN_LISTED = 2;
/** A part of a date as a label, such as `2026`, `2026-03`, `2026 Q1` and `2026-W09`. Labels of this form are sorted. */
const PERIOD = /^(?:\d{4}(?:-\d\d|-W\d\d| Q\d)?)?$/;

/** Returns null if no table is attached, or if the message asks nothing about a table. */
export function answerFromTable(situation: Situation, question: string): OfflineDecision | null {
  if (question.length > MAX_QUESTION_LENGTH) return null;
  const { phrases } = situation;
  const language = languageOf(question);
  for (const table of attachedTables(situation)) {
    const asked = question.replaceAll(nameOf(table.path), " ");
    const understood = isGistOf(situation, question, table.path)
      ? [[WHOLE_TABLE]]
      : understandParts(asked, table.data, language);
    if (understood.length === 0) continue;
    if (table.isPart) return answer(situation.introduced(phrases.table.tooLong(table.name)));
    const said = understood.flatMap((part) =>
      isUnclear(part)
        ? [refusal(table, part, question, phrases, language)]
        : part.map((query) => new TableAnswer(table, query, phrases, language).text()),
    );
    const isComputed = understood.some((part) => !isUnclear(part));
    if (!said.includes(null))
      return answer(situation.introduced(said.join("\n\n"), isComputed ? phrases.iComputed : phrases.realModel));
  }
  return null;
}

/** What each part of a message asks. If one part asks nothing about the table, the message is taken as a whole. */
function understandParts(question: string, table: TableData, language: Language) {
  const said = partsOf(question);
  // "The highest and lowest price" names the column only at its end.
  const end = said.at(-1)?.replace(/^\s*\S+/, "") ?? "";
  const parts = said.map(
    (part) =>
      understand(part, table, language) ?? (said.length > 1 ? understand(`${part} ${end}`, table, language) : null),
  );
  const known = parts.filter((part) => part !== null);
  if (known.length === parts.length) return known;
  const whole = understand(question, table, language);
  return whole === null ? [] : [whole];
}

function isUnclear(part: NonNullable<Understood>): part is Unclear {
  return "unknown" in part;
}

const WHOLE_TABLE = {
  operation: "rows",
  of: null,
  by: null,
  measure: null,
  most: null,
  conditions: [],
  order: null,
  part: null,
} as const;

/** Whether the message asks what is in this table, and no other table was attached or named. */
function isGistOf({ said, turn: { attachments } }: Situation, question: string, path: string): boolean {
  const isMeant = said.includes(nameOf(path)) || (attachments.length === 1 && attachments[0]?.path === path);
  return isMeant && (question === "" || GIST.test(question.replaceAll(nameOf(path), "it")));
}

interface Group {
  readonly label: string;
  readonly value: Fraction;
}

class TableAnswer {
  readonly #table: AttachedTable;
  readonly #query: TableQuery;
  readonly #phrases: Phrases;
  readonly #language: Language;
  readonly #rows: readonly number[];

  constructor(table: AttachedTable, query: TableQuery, phrases: Phrases, language: Language) {
    this.#table = table;
    this.#query = query;
    this.#phrases = phrases;
    this.#language = language;
    const all = Array.from({ length: table.data.rowCount }, (_, row) => row);
    this.#rows = partOf(
      ordered(
        all.filter((row) => query.conditions.every(({ holds }) => holds(row))),
        query,
      ),
      query,
    );
  }

  /** Returns null if quoting the rows is the better answer. */
  text(): string | null {
    const { operation, of, by } = this.#query;
    const { table: words } = this.#phrases;
    const [row, ...more] = this.#rows;
    const cell = of?.cells[row ?? -1];
    if (operation === "rows" && of !== null && cell !== undefined && more.length === 0)
      return this.#line(`${cellText(of.name)}: **${cellText(cell)}**`, this.#rows);
    const isCompared = this.#query.conditions.some(({ text: condition }) => / [<>≤≥] /.test(condition));
    const isPart = this.#query.part !== null || this.#query.order !== null || isCompared;
    if (operation === "rows")
      return this.#rows.length < MIN_LISTED && this.#rows.length > 0 && !isPart ? null : this.#list();
    const used =
      of === null || operation === "count" ? this.#rows : this.#rows.filter((row) => of.numbers?.[row] != null);
    if (used.length === 0) return this.#line(words.noRows, used);
    switch (operation) {
      case "count":
        if (by !== null)
          return this.#groups(
            words.rows,
            by,
            this.#grouped(by, used, (rows) => fraction(BigInt(rows.length), 1n)),
            used,
          );
        return this.#line(
          of === null
            ? `${words.rows}: **${used.length}**`
            : `${words.different(cellText(of.name))}: **${differentIn(of, used)}**`,
          used,
        );
      case "sum":
      case "average": {
        if (of === null) return null;
        const title = words[operation](cellText(of.name));
        const compute = operation === "sum" ? sumOf : averageOf;
        const value = (rows: readonly number[]) => compute(numbersOf(of, rows));
        return by === null
          ? this.#line(`${title}: **${this.#number(value(used), of)}**`, used)
          : this.#groups(title, by, this.#grouped(by, used, value), used, of);
      }
      case "highest":
      case "lowest":
        return of === null ? null : this.#extreme(of, used, operation);
    }
  }

  /** The rows with the highest or lowest values, or the groups with the highest or lowest sums if labels repeat. */
  #extreme(of: Column, used: readonly number[], operation: "highest" | "lowest"): string {
    const { table: words } = this.#phrases;
    const { columns } = this.#table.data;
    const { by: asked, measure, most } = this.#query;
    const by = asked ?? columns.find(({ numbers, dates }) => numbers === null && dates === null) ?? null;
    const labels = used.map((row) => by?.cells[row] ?? "");
    const isAverage = asked !== null && measure === "average";
    const isSummed = asked !== null && (measure === "sum" || !isPerItem(of));
    const repeats = isAverage || (isSummed && new Set(labels).size < labels.length);
    const title = words[operation](repeats ? words[measure ?? "sum"](cellText(of.name)) : cellText(of.name));
    const groups =
      repeats && by !== null
        ? this.#grouped(by, used, (rows) => (isAverage ? averageOf : sumOf)(numbersOf(of, rows)))
        : used.map((row) => ({ label: by?.cells[row] ?? "", value: of.numbers?.[row] ?? fraction(0n, 1n) }));
    const sign = operation === "highest" ? -1 : 1;
    const sorted = groups.toSorted((a, b) => (isLess(a.value, b.value) ? -sign : isLess(b.value, a.value) ? sign : 0));
    if (most !== null && by !== null) return this.#groups(title, by, sorted.slice(0, most), used, of);
    const [first] = sorted;
    const best = sorted.filter(
      ({ value }) => first !== undefined && !isLess(value, first.value) && !isLess(first.value, value),
    );
    const names = [...new Set(best.map(({ label }) => cellText(label)))]
      .filter((name) => name !== "")
      .slice(0, MAX_ROWS);
    const who = by === null || names.length === 0 ? "" : ` (${cellText(by.name)}: **${names.join(", ")}**)`;
    return this.#line(`${title}: **${first === undefined ? "" : this.#number(first.value, of)}**${who}`, used);
  }

  #grouped(by: Column, rows: readonly number[], value: (rows: readonly number[]) => Fraction): Group[] {
    const groups = Map.groupBy(rows, (row) => by.cells[row] ?? "");
    const labels = [...groups.keys()];
    const sorted = labels.every((label) => PERIOD.test(label)) ? labels.toSorted() : labels;
    return sorted.map((label) => ({ label, value: value(groups.get(label) ?? []) }));
  }

  #groups(title: string, by: Column, groups: readonly Group[], used: readonly number[], of?: Column): string {
    const rows = groups.map(({ label, value }) => [cellText(label), this.#number(value, of)]);
    return `${this.#line(title, used)}\n\n${this.#drawn([cellText(by.name), title], rows)}`;
  }

  #list(): string {
    const { columns } = this.#table.data;
    const rows = this.#rows.map((row) => columns.map(({ cells }) => cellText(cells[row] ?? "")));
    const head = this.#line(`${this.#phrases.table.rows}: **${rows.length}**`, this.#rows);
    return rows.length === 0
      ? head
      : `${head}\n\n${this.#drawn(
          columns.map(({ name }) => cellText(name)),
          rows,
        )}`;
  }

  #drawn(head: readonly string[], rows: readonly (readonly string[])[]): string {
    const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
    const shown = rows.slice(0, MAX_ROWS);
    const more = rows.length > shown.length ? `\n\n${this.#phrases.andMore(rows.length - shown.length)}` : "";
    return [line(head), line(head.map(() => "---")), ...shown.map(line)].join("\n") + more;
  }

  /** The answer: the result, its conditions, the number of rows in the computation, and the source. */
  #line(result: string, used: readonly number[]): string {
    const { name, data, sid } = this.#table;
    const { from, without } = this.#phrases.table;
    const conditions = this.#query.conditions.map(({ text }) => ` · ${cellText(text)}`).join("");
    const left =
      data.leftOut.length === 0 ? "" : ` ${without(data.leftOut.slice(0, MAX_ROWS).map(cellText).join(", "))}`;
    const source = sid === null ? "" : ` [[S:${sid}]]`;
    return `${result.charAt(0).toUpperCase()}${result.slice(1)}${conditions} (${from(used.length, data.rowCount, name)}).${left}${source}`;
  }

  #number(value: Fraction, of?: Column): string {
    const { value: digits, isExact } = decimal(value, this.#language, MAX_DECIMALS);
    const unit = of?.unit ?? "";
    return `${isExact ? "" : "≈ "}${unit === "$" || unit === "£" ? unit : ""}${digits}${unit === "%" || unit === "€" ? ` ${unit}` : ""}`;
  }
}

/** Text is sorted by its characters, and cells without a number come last. */
function ordered(rows: readonly number[], { order }: TableQuery): readonly number[] {
  if (order === null) return rows;
  const { column, isDescending } = order;
  const sign = isDescending ? -1 : 1;
  const cell = (row: number) => column.cells[row] ?? "";
  return rows.toSorted((left, right) => {
    const [a, b] = [column.numbers?.[left] ?? null, column.numbers?.[right] ?? null];
    if (column.numbers === null) return cell(left) < cell(right) ? -sign : cell(left) > cell(right) ? sign : 0;
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return isLess(a, b) ? -sign : isLess(b, a) ? sign : 0;
  });
}

function partOf(rows: readonly number[], { part }: TableQuery): readonly number[] {
  if (part === null) return rows;
  return part.isEnd ? rows.slice(-part.count) : rows.slice(0, part.count);
}

function differentIn({ cells }: Column, rows: readonly number[]): number {
  return new Set(rows.flatMap((row) => cells[row] || [])).size;
}

function numbersOf({ numbers }: Column, rows: readonly number[]): Fraction[] {
  return rows.flatMap((row) => numbers?.[row] ?? []);
}

function sumOf(numbers: readonly Fraction[]): Fraction {
  return numbers.reduce(add, fraction(0n, 1n));
}

function averageOf(numbers: readonly Fraction[]): Fraction {
  return divide(sumOf(numbers), fraction(BigInt(numbers.length), 1n));
}

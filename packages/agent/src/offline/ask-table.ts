/**
 * Understands a question about a table: what to compute, of which column, grouped by which column, and from which rows.
 * If a word of the question is not understood, nothing is computed, because the number could be wrong.
 */

import { indexOfWord, isNamed } from "./column-names.ts";
import { COMPARING, compare, type Sign } from "./comparisons.ts";
import { derive } from "./derived-columns.ts";
import { exact, type Fraction, isLess } from "./fraction.ts";
import { monthNames } from "./month-names.ts";
import { numberOf } from "./number-forms.ts";
import { folded, type Language } from "./phrases/language.ts";
import { usualColumn, withPlainSuperlatives } from "./plain-superlatives.ts";
import type { Column, TableData } from "./read-table.ts";
import type { Condition, TableQuery, Understood } from "./table-query.ts";
import {
  ALTERNATIVE,
  AND,
  ASCENDING,
  COUNTED,
  countNamed,
  DESCENDING,
  EACH,
  EARNED,
  FILLERS,
  FIRST,
  FRENCH_DEGREES,
  LAST,
  NEGATIONS,
  OPERATIONS,
  type Operation,
  ROWS,
  SHOWING,
  SORTING,
  WHOLE,
} from "./table-words.ts";
import { wordsOf } from "./words.ts";

const NUMBER = String.raw`[-+]?\d[\d.,'’\u00a0\u202f]*`;
const COMPARISONS = COMPARING.map(([sign, words]) => [sign, comparison(words)] as const);

const BETWEEN = new RegExp(String.raw`\b(?:between|zwischen|entre)\s+(${NUMBER})\s+(?:and|und|et)\s+(${NUMBER})`, "g");
/** A longer message contains pasted text and is not treated as a question about a table. */
const MAX_LENGTH = 1_000;

function comparison(words: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})\s*[€$£]?\s*(${NUMBER})\s*[%€$£]?`, "giu");
}

interface Mention {
  readonly column: Column;
  readonly at: number;
  readonly isEach: boolean;
}

/** "What does units mean?" asks for the meaning of a word, and not for an average. */
const MEANING = /\bmeans?\s*[?.!]*\s*$/i;

export function understand(question: string, table: TableData, language: Language): Understood {
  if (MEANING.test(question)) return null;
  return new Reading(question, table, language).query();
}

class Reading {
  #text: string;
  readonly #table: TableData;
  readonly #language: Language;
  readonly #conditions: Condition[];
  readonly #hasProduct: boolean;
  readonly #comparesColumns: boolean;
  readonly #compared: { sign: Sign; value: Fraction; said: string; at: number }[] = [];

  constructor(question: string, table: TableData, language: Language) {
    const said = folded(question).toLowerCase().slice(0, MAX_LENGTH).replace(BETWEEN, " at least $1 at most $2 ");
    const derived = derive(withPlainSuperlatives(said, table), table, language);
    this.#text = derived.text;
    this.#table = derived.table;
    this.#conditions = [...derived.conditions];
    this.#hasProduct = derived.hasProduct;
    this.#comparesColumns = derived.conditions.length > 0;
    this.#language = language;
  }

  query(): Understood {
    const columns = this.#table.columns;
    this.#takeComparisons();
    const words = this.#text.match(/\p{L}+/gu) ?? [];
    const hasValues = this.#takeValues();
    this.#takePeriod();
    const operations = new Set<Operation>();
    const mentions: Mention[] = [];
    let [hasRows, isEach] = [false, false];
    const unknown: string[] = hasValues === "mixed" ? words.filter((word) => ALTERNATIVE.has(word)) : [];
    let most: number | null = null;
    const listing = { isAsked: false, hasTable: false, isSorted: false, isDescending: false };
    let part: TableQuery["part"] = null;
    let isEnd: boolean | null = null;
    const tokens = [...this.#text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: raw, index }) => ({ raw, index }));
    for (let nth = 0; nth < tokens.length; nth++) {
      const { raw = "", index = 0 } = tokens[nth] ?? {};
      const [stem = ""] = wordsOf(raw);
      const named = columns.find(({ name }) =>
        isNamed(
          name,
          tokens.slice(nth).map((token) => token.raw),
        ),
      );
      const operation = (Object.keys(OPERATIONS) as Operation[]).filter((each) => OPERATIONS[each].has(stem));
      const count = isEnd === null ? null : countNamed(raw);
      listing.isAsked ||= SHOWING.has(stem);
      listing.hasTable ||= WHOLE.has(stem);
      if (NEGATIONS.has(raw)) unknown.push(raw);
      else if (count !== null && part === null) part = { count, isEnd: isEnd === true };
      else if (FIRST.has(stem) || LAST.has(stem)) isEnd = LAST.has(stem);
      // "How many sales" counts rows, if no column has this name.
      else if (named === undefined && COUNTED.has(stem) && operations.has("count")) hasRows = true;
      else if (SORTING.has(stem)) listing.isSorted = true;
      else if (DESCENDING.has(stem)) listing.isDescending = true;
      else if (ASCENDING.has(stem)) listing.isDescending = false;
      else if (EACH.has(raw)) isEach = true;
      else if (named !== undefined) {
        mentions.push({ column: named, at: index, isEach });
        isEach = false;
        nth += wordsOf(named.name).length - 1;
      } else if (/^\d+$/.test(raw)) {
        if (operations.has("highest") && most === null) most = Number(raw);
        else if (!this.#takeNumber(raw)) unknown.push(raw);
      } else if (operation.length > 0) for (const each of operation) operations.add(each);
      else if (ROWS.has(stem)) hasRows = true;
      else if (EARNED.has(stem) && this.#hasProduct) continue;
      else if (stem !== "" && !FILLERS.has(stem) && !WHOLE.has(stem) && !SHOWING.has(stem) && !FRENCH_DEGREES.has(stem))
        unknown.push(raw);
    }
    const isClear = unknown.length === 0;
    const isProduct = (["price", "quantity"] as const).every((usual) => usualColumn(this.#table, usual));
    const isRevenue = isProduct && unknown.some((word) => EARNED.has(wordsOf(word)[0] ?? ""));
    const isAboutTable = mentions.length > 0 || hasRows || isRevenue || this.#comparesColumns;
    const named = [...new Set(mentions.map(({ column }) => column))];
    const unclear = { unknown: [...new Set(unknown)], named, isRevenue };
    if (isEnd !== null && part === null) part = { count: 1, isEnd };
    const rows = this.#listed(listing, mentions, operations.size === 0 && (hasRows || listing.hasTable), part);
    if (isClear && rows !== null) return [rows];
    const isComputed =
      isRevenue ||
      mentions.some(({ column }) => this.#isDerived(column)) ||
      operations.size > 0 ||
      mentions.length > 1 ||
      tokens.some(({ raw }) => EACH.has(raw));
    if (!isClear) return isComputed && isAboutTable ? unclear : null;
    return (
      this.#compose(operations, mentions, hasRows, most) ??
      ((operations.size > 0 || mentions.some(({ isEach: isBy }) => isBy)) && isAboutTable ? unclear : null)
    );
  }

  /** The request to list rows of the table; null if the message asks for anything else. */
  #listed(
    listing: { isAsked: boolean; isSorted: boolean; isDescending: boolean },
    mentions: readonly Mention[],
    isTable: boolean,
    part: TableQuery["part"],
  ): TableQuery | null {
    const list = {
      operation: "rows",
      of: null,
      by: null,
      measure: null,
      most: null,
      conditions: this.#conditions,
      part,
    } as const;
    const [mention, ...more] = mentions;
    if (listing.isSorted && mention !== undefined && more.length === 0)
      return { ...list, order: { column: mention.column, isDescending: listing.isDescending } };
    const isWhole =
      isTable && (listing.isAsked || part !== null) && mentions.length === 0 && this.#compared.length === 0;
    return isWhole ? { ...list, order: null } : null;
  }

  #compose(
    operations: Set<Operation>,
    mentions: readonly Mention[],
    hasRows: boolean,
    most: number | null,
  ): readonly TableQuery[] | null {
    const numeric = this.#table.columns.filter(({ numbers }) => numbers !== null);
    const mentioned = [...new Set(mentions.map(({ column }) => column))];
    const values = mentioned.filter(({ numbers }) => numbers !== null);
    const others = mentioned.filter(({ numbers }) => numbers === null);
    const [only = null] = numeric.length === 1 ? numeric : [];
    for (const { sign, value, said, at } of this.#compared) {
      const before = mentions.findLast(({ column, at: place }) => column.numbers !== null && place < at)?.column;
      const column = before ?? values[0] ?? only;
      if (column === null) return null;
      this.#conditions.push({
        text: `${column.name} ${sign} ${said}`,
        holds: (row) => compare(column.numbers?.[row] ?? null, sign, value),
      });
    }
    const conditions = this.#conditions;
    if (operations.has("sum") && operations.has("count")) operations.delete("sum");
    // The highest or lowest group is the group with the highest or lowest sum.
    const isOfGroup = others.length > 0 || mentions.some(({ isEach: isBy }) => isBy);
    const isExtreme = isOfGroup && (operations.has("highest") || operations.has("lowest"));
    const hasSum = isExtreme && operations.delete("sum");
    // "Highest average" compares the averages of groups.
    const measure: TableQuery["measure"] =
      isExtreme && operations.delete("average") ? "average" : hasSum ? "sum" : null;
    const [operation = null] = operations;
    if (operations.size > 1 || others.length > 1) return null;
    // "Sales by year" names two columns of numbers and groups by one; "top cities by sales" names only one.
    const isGroup = ({ column, isEach }: Mention) => isEach && (column.numbers === null || values.length > 1);
    const each = mentions.find(isGroup)?.column ?? null;
    const [other = null] = others;
    const isFree = (column: Column) =>
      column !== each && (values.length === 1 || !conditions.some(({ text }) => text.startsWith(`${column.name} `)));
    const free = values.filter(isFree);
    const of = free.length === 1 ? (free[0] ?? null) : free.length === 0 ? only : null;
    // "Sum of planned and actual" asks for two sums.
    const hasSeveral = free.length > 1 && (this.#text.match(AND) ?? []).length >= free.length - 1;
    const several = hasSeveral ? free : of === null ? [] : [of];
    const query = { of, by: each, measure, most: null, conditions, order: null, part: null };
    switch (operation) {
      case "highest":
      case "lowest":
        return of === null ? null : [{ ...query, operation, by: other ?? each, most }];
      case "sum":
      case "average":
        return several.length === 0 || (other !== null && each === null)
          ? null
          : several.map((column) => ({ ...query, operation, of: column }));
      case "count":
        if (other !== null && other !== each) return [{ ...query, operation, of: other, by: null }];
        if (values.length > 0 && this.#compared.length === 0)
          return of === null ? null : [{ ...query, operation: "sum" }];
        return hasRows || each !== null || conditions.length > 0 ? [{ ...query, operation, of: null }] : null;
      case null:
        if (each !== null && several.length > 0)
          return several.map((column) => ({ ...query, operation: "sum", of: column }));
        if (conditions.length > 0 && (mentions.length > 0 || hasRows || this.#comparesColumns))
          return [{ ...query, operation: "rows" }];
        // "Actual minus planned" asks for a difference in each row with a name.
        return of === null || !this.#isDerived(of) || others.length > 0
          ? null
          : [{ ...query, operation: "sum", by: this.#label() }];
    }
  }

  #isDerived({ name }: Column): boolean {
    return / [×+−] /.test(name);
  }

  /** The first column of texts, if each text occurs once. */
  #label(): Column | null {
    const first = this.#table.columns.find(({ numbers, dates }) => numbers === null && dates === null);
    return first !== undefined && new Set(first.cells).size === first.cells.length ? first : null;
  }

  #blank(from: number, length: number): void {
    this.#text = `${this.#text.slice(0, from)}${" ".repeat(length)}${this.#text.slice(from + length)}`;
  }

  #takeComparisons(): void {
    for (const [sign, form] of COMPARISONS)
      for (const { 0: all, 1: said = "", index } of [...this.#text.matchAll(form)]) {
        const value = numberOf(said, this.#language);
        if (value === null) continue;
        this.#compared.push({ sign, value, said: said.replace(/[.,'’\s]+$/, ""), at: index });
        this.#blank(index, all.length);
      }
  }

  /** Conditions for cells that the question names. `mixed`: alternatives in several columns, which is unsupported. */
  #takeValues(): "mixed" | null {
    let found = 0;
    for (const column of this.#table.columns) {
      if (column.numbers !== null) continue;
      const values = new Map(column.cells.map((cell) => [folded(cell).toLowerCase(), cell]));
      const named: string[] = [];
      for (const value of [...values.keys()].filter((each) => each.length > 1).sort((a, b) => b.length - a.length)) {
        const at = indexOfWord(this.#text, value);
        if (at === -1 || this.#table.columns.some(({ name }) => folded(name).toLowerCase() === value)) continue;
        named.push(value);
        this.#blank(at, value.length);
        this.#takeNameBeside(column, at, at + value.length);
      }
      if (named.length === 0) continue;
      found++;
      const wanted = new Set(named.map((each) => values.get(each) ?? each));
      const isWanted = new Set(named);
      this.#conditions.push({
        text: `${column.name} = ${[...wanted].join(" / ")}`,
        holds: (row) => isWanted.has(folded(column.cells[row] ?? "").toLowerCase()),
      });
    }
    const hasAlternative = (this.#text.match(/\p{L}+/gu) ?? []).some((word) => ALTERNATIVE.has(word));
    return hasAlternative && found !== 1 ? "mixed" : null;
  }

  /** "The region North", "the North region": here the name of a column only tells in which column the value is. */
  #takeNameBeside({ name }: Column, from: number, to: number): void {
    const count = wordsOf(name).length;
    const words = [...this.#text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({ word, index }));
    const before = words.filter(({ index }) => index < from).slice(-count);
    const after = words.filter(({ index }) => index >= to).slice(0, count);
    for (const beside of [before, after]) {
      const [first, last] = [beside[0], beside.at(-1)];
      if (first === undefined || last === undefined) continue;
      const end = last.index + last.word.length;
      const gap = beside === before ? this.#text.slice(end, from) : this.#text.slice(to, first.index);
      const isNameOf = isNamed(
        name,
        beside.map(({ word }) => word),
      );
      if (!isNameOf || !/^[\s=:"'“”„«»]*$/.test(gap)) continue;
      this.#blank(first.index, end - first.index);
      return;
    }
  }

  /** A month by its name, if one column has dates or short names of months. */
  #takePeriod(): void {
    for (const column of this.#table.columns) this.#takeShortMonth(column);
    const [column, ...more] = this.#table.columns.filter(({ dates }) => dates !== null);
    if (column === undefined || more.length > 0) return;
    const named = new Map<number, string>();
    for (let month = 1; month <= 12; month++)
      for (const name of monthNames(month)) {
        const at = indexOfWord(this.#text, name);
        if (at === -1) continue;
        this.#blank(at, name.length);
        named.set(month, name);
      }
    if (named.size === 0) return;
    this.#conditions.push({
      text: `${column.name}: ${[...named.values()].join(" / ")}`,
      holds: (row) => named.has(column.dates?.[row]?.month ?? 0),
    });
  }

  /** Recognises "March" if the column has "Mar". */
  #takeShortMonth(column: Column): void {
    const monthOf = (name: string) => {
      for (let month = 1; month <= 12; month++)
        for (const full of monthNames(month))
          if (name === full || (name.length >= 3 && full.startsWith(name.replace(/\.$/, "")))) return month;
      return null;
    };
    const months = column.cells.map((cell) => monthOf(folded(cell).toLowerCase()));
    if (column.numbers !== null || months.some((month) => month === null)) return;
    for (const [word = ""] of [...this.#text.matchAll(/\p{L}{3,}/gu)]) {
      const month = monthOf(word);
      const isFull = month !== null && monthNames(month).has(word);
      if (!isFull || !months.includes(month)) continue;
      this.#blank(indexOfWord(this.#text, word), word.length);
      this.#conditions.push({ text: `${column.name} = ${word}`, holds: (row) => months[row] === month });
    }
  }

  /** A number that is a year of the dates, or a value of one column. */
  #takeNumber(raw: string): boolean {
    const value = exact(raw);
    const isYear = (column: Column) => column.dates?.some((date) => date?.year === Number(raw)) === true;
    const isValue = (column: Column) => column.numbers?.some((each) => each !== null && isSame(each, value)) === true;
    const [column, ...more] = this.#table.columns.filter((each) => isYear(each) || isValue(each));
    if (column === undefined || more.length > 0) return false;
    const holds = (row: number) => {
      const number = column.numbers?.[row] ?? null;
      return column.dates?.[row]?.year === Number(raw) || (number !== null && isSame(number, value));
    };
    this.#conditions.push({ text: `${column.name} = ${raw}`, holds });
    return true;
  }
}

function isSame(a: Fraction, b: Fraction): boolean {
  return !isLess(a, b) && !isLess(b, a);
}

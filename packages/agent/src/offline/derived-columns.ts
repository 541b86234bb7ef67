/**
 * Columns that a question derives from the columns of a table: the product, sum or difference of two columns, and the
 * week, month, quarter or year of a date. The question then names the derived column by the words of its name.
 */
import { COMPARING, compare, type Sign } from "./comparisons.ts";
import { add, decimal, type Fraction, fraction, multiply } from "./fraction.ts";
import { folded, type Language } from "./phrases/language.ts";
import type { Column, DateParts, TableData } from "./read-table.ts";
import type { Condition } from "./table-query.ts";
import { wordsOf } from "./words.ts";

export interface Derived {
  /** The question with the names of the derived columns instead of the words that describe them. */
  readonly text: string;
  /** The table with the derived columns before its own columns. */
  readonly table: TableData;
  /** Comparisons of two columns. */
  readonly conditions: readonly Condition[];
  /** Whether the question multiplies two columns. */
  readonly hasProduct: boolean;
}

/** `±` is the difference without its sign: the "largest difference" of two columns. */
type Operator = "×" | "+" | "−" | "±";

const ARTICLES = "(?:(?:the|of|von|der|die|das|den|dem|le|la|les|du|de) )*";
const TOTAL = "(?:(?:the )?(?:total|sum|summe|somme|totale?) )?";
const IS = "(?:(?:is|are|was|were|ist|sind|war|waren|liegt|est|sont|etait) )?";
const BETWEEN: readonly (readonly [Operator, words: string])[] = [
  ["×", String.raw`times|multiplied (?:by|with)|x|×|\*|mal|multipliziert mit|fois|multiplie(?:e|s|es)? par`],
  ["−", "minus|less|-|−|moins"],
  ["+", String.raw`plus|\+`],
];
const BEFORE: readonly (readonly [Operator, words: string])[] = [
  ["×", "product of|produkt (?:aus|von)|produit de"],
  [
    "±",
    "(?<=(?:largest|biggest|greatest|highest|smallest|lowest|(?:grosst|großt|hochst|kleinst)e[nrsm]?|plus (?:grand|petit)e?) )(?:(?:difference|gap) (?:between|of)|(?:differenz|unterschied) (?:zwischen|von)|(?:difference|ecart) entre)",
  ],
  ["−", "(?:difference|gap) (?:between|of)|(?:differenz|unterschied) (?:zwischen|von)|(?:difference|ecart) entre"],
];
interface Period {
  readonly words: string;
  readonly alone: string;
  readonly en: "year" | "quarter" | "month" | "week";
  readonly de: string;
  readonly fr: string;
}

const PERIODS: readonly Period[] = [
  { words: "years?|jahr(?:en?)?|annees?|ans?", alone: "yearly|annually|jahrlich", en: "year", de: "Jahr", fr: "année" },
  {
    words: "quarters?|quartal(?:en?)?|trimestres?",
    alone: "quarterly|vierteljahrlich",
    en: "quarter",
    de: "Quartal",
    fr: "trimestre",
  },
  { words: "months?|monat(?:en?)?|mois", alone: "monthly|monatlich", en: "month", de: "Monat", fr: "mois" },
  { words: "weeks?|wochen?|semaines?", alone: "weekly|wochentlich", en: "week", de: "Woche", fr: "semaine" },
];
/** "Last month" depends on the date of today. It names no period of the rows. */
const RELATIVE = "(?<!(?:last|this|next|previous|current|letzte[nrsm]?|diese[nrsm]?|ce|cette) )";
const MARK = "\u{e000}";
const MARKED = new RegExp(`${MARK}(\\d+)${MARK}`, "gu");
const DAY_MS = 86_400_000;

/** `question`: in lower case and without accents. */
export function derive(question: string, table: TableData, language: Language): Derived {
  const derived: Column[] = [];
  const conditions: Condition[] = [];
  let [text, hasProduct] = [question, false];
  const forms = table.columns
    .filter(({ numbers }) => numbers !== null)
    .map((column) => ({ column, form: formOf(column.name) }))
    .toSorted((a, b) => b.form.length - a.form.length);
  const name = `(${forms.map(({ form }) => form).join("|")})`;
  const columnOf = (said: string) => forms.find(({ form }) => new RegExp(`^${form}$`, "u").test(said))?.column;
  const replace = (form: string, by: (left: Column, right: Column) => string | null) => {
    const whole = new RegExp(String.raw`(?<![\p{L}\p{N}])${form}(?![\p{L}\p{N}])`, "gu");
    text = text.replace(whole, (all: string, first: string, second: string) => {
      const [left, right] = [columnOf(first), columnOf(second)];
      return (left === undefined || right === undefined ? null : by(left, right)) ?? all;
    });
  };
  const combine = (operator: Operator) => (left: Column, right: Column) => {
    const column = combined(left, operator, right, language);
    if (column === null) return null;
    derived.push(column);
    hasProduct ||= operator === "×";
    // A mark, so that no further operator applies to a part of the combined column.
    return ` ${MARK}${derived.length - 1}${MARK} `;
  };
  if (forms.length > 1) {
    for (const [operator, words] of BEFORE)
      replace(`(?:${words}) ${ARTICLES}${name} (?:and|und|et) ${ARTICLES}${name}`, combine(operator));
    // The difference of two totals is the total of the differences. No such rule holds for products.
    for (const [operator, words] of BETWEEN)
      replace(
        String.raw`${name}\s*(?:${words})\s*${operator === "×" ? "" : TOTAL}${ARTICLES}${name}`,
        combine(operator),
      );
    for (const [sign, words] of COMPARING)
      replace(String.raw`${name}\s*${IS}(?:${words})\s*${ARTICLES}${name}`, (left, right) => {
        conditions.push(comparisonOf(left, sign, right));
        return " ";
      });
  }
  const combinations = [...derived];
  text = text.replace(MARKED, (_, nth: string) => spoken(combinations[Number(nth)]?.name ?? ""));
  const [date, ...more] = table.columns.filter(({ dates }) => dates !== null);
  for (const period of PERIODS) {
    const isColumn = table.columns.some((column) => new RegExp(`^(?:${period.words})$`).test(plain(column.name)));
    if (date === undefined || more.length > 0 || isColumn) continue;
    const column = periodOf(date, period.en, period[language]);
    const before = text;
    text = text
      .replace(new RegExp(String.raw`\b(?:${period.alone})\b`, "g"), `per ${period.en}`)
      .replace(new RegExp(String.raw`${RELATIVE}\b(?:${period.words})\b`, "g"), spoken(column.name));
    if (text !== before) derived.push(column);
  }
  return { text, table: { ...table, columns: [...derived, ...table.columns] }, conditions, hasProduct };
}

function plain(name: string): string {
  return folded(name).toLowerCase();
}

/** A pattern of the name of a column, possibly with another plural. */
function formOf(name: string): string {
  return `${plain(name)
    .replace(/s$/, "")
    .replace(/[^\p{L}\p{N}\s]/gu, "\\$&")}(?:e?s|e?n)?`;
}

/** The words of a name as a question says them. Stop words in a name are not compared. */
function spoken(name: string): string {
  const words = plain(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => wordsOf(word).length > 0).join(" ");
}

/** Null for percentages, and for sums and differences of different units. */
function combined(left: Column, operator: Operator, right: Column, language: Language): Column | null {
  const isProduct = operator === "×";
  if ([left.unit, right.unit].includes("%")) return null;
  if (isProduct ? left.unit !== "" && right.unit !== "" : left.unit !== right.unit) return null;
  const numbers = (left.numbers ?? []).map((a, row) => {
    const b = right.numbers?.[row] ?? null;
    if (a === null || b === null) return null;
    if (isProduct) return multiply(a, b);
    const result = add(a, operator === "+" ? b : negative(b));
    return operator === "±" && result.over < 0n ? negative(result) : result;
  });
  const cells = numbers.map((number) => (number === null ? "" : decimal(number, language).value));
  return {
    name: operator === "±" ? `|${left.name} − ${right.name}|` : `${left.name} ${operator} ${right.name}`,
    cells,
    numbers,
    unit: left.unit || right.unit,
    dates: null,
  };
}

function negative({ over, under }: Fraction): Fraction {
  return fraction(-over, under);
}

function comparisonOf(left: Column, sign: Sign, right: Column): Condition {
  return {
    text: `${left.name} ${sign} ${right.name}`,
    holds: (row) => {
      const limit = right.numbers?.[row] ?? null;
      return limit !== null && compare(left.numbers?.[row] ?? null, sign, limit);
    },
  };
}

function periodOf({ name, dates }: Column, period: Period["en"], word: string): Column {
  const cells = (dates ?? []).map((date) => (date === null ? "" : labelOf(date, period)));
  return { name: `${name} (${word})`, cells, numbers: null, unit: "", dates: null };
}

function labelOf({ year, month, day }: DateParts, period: Period["en"]): string {
  switch (period) {
    case "year":
      return `${year}`;
    case "quarter":
      return `${year} Q${Math.ceil(month / 3)}`;
    case "month":
      return `${year}-${String(month).padStart(2, "0")}`;
    case "week":
      return weekOf(Date.UTC(year, month - 1, day));
  }
}

/** The week of ISO 8601: it belongs to the year of its Thursday. */
function weekOf(time: number): string {
  const thursday = time + (3 - ((new Date(time).getUTCDay() + 6) % 7)) * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const week = 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY_MS));
  return `${year}-W${String(week).padStart(2, "0")}`;
}

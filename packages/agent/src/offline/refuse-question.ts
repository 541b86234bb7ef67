/** The answer to a question about a table that is not understood. */
import { understand } from "./ask-table.ts";
import type { AttachedTable } from "./attached-tables.ts";
import { cellText } from "./cell-text.ts";
import { folded, type Language } from "./phrases/language.ts";
import type { Phrases } from "./phrases/phrases.ts";
import { isPerItem, usualColumn } from "./plain-superlatives.ts";
import type { Column, TableData } from "./read-table.ts";
import type { Unclear } from "./table-query.ts";

const WORD = /[\p{L}\p{N}]+/gu;

/** Names the words that were not understood, and suggests a question about columns of this table. */
export function refusal(
  { name, data }: AttachedTable,
  unclear: Unclear,
  question: string,
  phrases: Phrases,
  language: Language,
): string {
  const spelled = new Map((question.match(WORD) ?? []).map((word) => [folded(word).toLowerCase(), word]));
  const unknown = unclear.unknown.map((word) => `“${cellText(spelled.get(word) ?? word)}”`).join(", ");
  const wording = suggestion(data, unclear, phrases);
  const isUnderstood = wording !== null && Array.isArray(understand(wording, data, language));
  const columns = data.columns.map((column) => cellText(column.name)).join(", ");
  return phrases.table.unclear(name, columns, unknown, isUnderstood ? cellText(wording) : "");
}

function suggestion({ columns, ...table }: TableData, { named, isRevenue }: Unclear, phrases: Phrases): string | null {
  const own = (column: Column) => columns.includes(column);
  const isSummed = (column: Column) => column.numbers !== null && own(column);
  const [price, quantity] = (["price", "quantity"] as const).map((usual) => usualColumn({ columns, ...table }, usual));
  const isShared = ({ cells }: Column) => new Set(cells).size < cells.length;
  const isLabel = ({ numbers, dates }: Column) => numbers === null && dates === null;
  const by =
    named.find((column) => isLabel(column) && own(column)) ??
    columns.find((column) => isLabel(column) && isShared(column)) ??
    columns.find(isLabel);
  const product = isRevenue && price !== undefined && quantity !== undefined;
  const column = named.find(isSummed) ?? quantity ?? columns.findLast(isSummed);
  if (column === undefined) return null;
  const title = product
    ? phrases.table.sum(`${quantity.name} * ${price.name}`)
    : phrases.table[isPerItem(column) ? "average" : "sum"](column.name);
  return by === undefined ? title : phrases.table.by(title, by.name);
}

/** Words for the highest or lowest value of a usual column: "most expensive" is the highest price. */
import { folded } from "./phrases/language.ts";
import type { Column, TableData } from "./read-table.ts";

const COLUMNS = {
  price: /^(?:(?:unit|item|list|stuck|einzel)[ _-]?)?(?:price|preis|prix)s?$|^(?:prix unitaire|cost|kosten|cout)s?$/,
  quantity: /^(?:units?|quantity|quantities|qty|units? sold|sold|menge|stuck|stuckzahl|quantites?|unites)$/,
  salary:
    /^(?:(?:annual|monthly|yearly|base)[ _-]?)?(?:salary|salaries|wages?|pay|income|earnings)$|^(?:gehalt|lohn|einkommen|salaires?|revenu)$/,
  age: /^(?:age|alter)$/,
} as const;

type Usual = keyof typeof COLUMNS;

const SUPERLATIVES: readonly (readonly [words: string, "highest" | "lowest", Usual])[] = [
  ["most expensive|priciest|costliest|(?:am )?teuerste[nrsm]?|plus ch(?:er|ere)s?", "highest", "price"],
  ["cheapest|least expensive|(?:am )?(?:billigste|gunstigste)[nrsm]?|moins ch(?:er|ere)s?", "lowest", "price"],
  [
    "(?:best|top)[- ]?selling|best ?sellers?|(?:meist|best)verkaufte[nrsm]?|(?:sells?|sold) (?:the )?(?:best|most)|(?:plus|mieux) vendue?s?",
    ...(["highest", "quantity"] as const),
  ],
  ["(?:worst|least)[- ]selling|(?:sells?|sold) (?:the )?(?:worst|least)|moins vendue?s?", "lowest", "quantity"],
  [
    "(?:earns?|earned|makes?|gets paid|is paid) (?:the )?most|(?:highest|best)[- ]paid|verdient am meisten|gagne le plus",
    ...(["highest", "salary"] as const),
  ],
  [
    "(?:earns?|earned|makes?|gets paid|is paid) (?:the )?least|(?:lowest|worst)[- ]paid|verdient am wenigsten|gagne le moins",
    ...(["lowest", "salary"] as const),
  ],
  ["oldest|(?:am )?alteste[nrsm]?|plus agee?s?", "highest", "age"],
  ["youngest|(?:am )?jungste[nrsm]?|plus jeunes?", "lowest", "age"],
];
const COMPARATIVES: readonly (readonly [words: string, by: string, Usual])[] = [
  [
    "(?:earn(?:s|ed|ing)?|makes?|verdienen|verdient|gagnent?)(?= (?:more|less|over|under|at|mehr|weniger|plus|moins))",
    "",
    "salary",
  ],
  ["older than|alter als|plus agee?s? que", "over", "age"],
  ["younger than|junger als|plus jeunes? que", "under", "age"],
  ["more expensive than|dearer than|teurer als|plus ch(?:er|ere)s? que", "over", "price"],
  ["cheaper than|less expensive than|billiger als|gunstiger als|moins ch(?:er|ere)s? que", "under", "price"],
];
const PLANNED = /^(?:budget|budgeted|plan|planned|target|soll|geplant|prevue?)$/;
const SPENT = /^(?:actuals?|spent|spending|ist|tatsachlich|ausgaben|reel|depense)$/;
const BUDGET: readonly (readonly [words: string, isOver: boolean])[] = [
  ["over(?: the)? budget|uber(?: dem)? (?:budget|plan)", true],
  ["under(?: the)? budget|below(?: the)? budget|unter(?: dem)? (?:budget|plan)", false],
];

/** The column of a usual kind, if there is exactly one. */
export function usualColumn({ columns }: TableData, usual: Usual): Column | undefined {
  return onlyNamed(columns, COLUMNS[usual]);
}

/** Whether the values of a column are compared one by one: a sum of prices or ages says nothing. */
export function isPerItem({ name, unit }: Column): boolean {
  return unit === "%" || (["price", "salary", "age"] as const).some((usual) => COLUMNS[usual].test(plain(name)));
}

/** The question with `highest price` instead of `most expensive`. `question`: in lower case and without accents. */
export function withPlainSuperlatives(question: string, table: TableData): string {
  let text = question;
  for (const [words, extreme, usual] of SUPERLATIVES) {
    const column = usualColumn(table, usual);
    if (column !== undefined) text = replaced(text, words, ` ${extreme} ${plain(column.name)} `);
  }
  for (const [words, comparison, usual] of COMPARATIVES) {
    const column = usualColumn(table, usual);
    if (column !== undefined) text = replaced(text, words, ` ${plain(column.name)} ${comparison}`);
  }
  const planned = onlyNamed(table.columns, PLANNED);
  const spent = onlyNamed(table.columns, SPENT);
  if (planned === undefined || spent === undefined) return text;
  for (const [words, isOver] of BUDGET) {
    const [left, right] = isOver ? [spent, planned] : [planned, spent];
    const names = [plain(left.name), plain(right.name)] as const;
    text = replaced(
      text,
      `(?:(?:the )?most|furthest|farthest|am meisten) (?:${words})`,
      `highest ${names.join(" minus ")}`,
    );
    text = replaced(text, words, names.join(" > "));
  }
  return text;
}

function onlyNamed(columns: readonly Column[], form: RegExp): Column | undefined {
  const named = columns.filter(({ name, numbers }) => numbers !== null && form.test(plain(name)));
  return named.length === 1 ? named[0] : undefined;
}

function replaced(text: string, words: string, by: string): string {
  return text.replace(new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`, "gu"), by);
}

function plain(name: string): string {
  return folded(name).toLowerCase();
}

/** Exact conversions of units in a message, such as `10 miles in km` or `How many pounds are 80 kg?`. */
import { add, decimal, type Fraction } from "./fraction.ts";
import { numberOf } from "./number-forms.ts";
import { folded, type Language } from "./phrases/language.ts";
import { fromBase, toBase, type Unit, unitsNamed } from "./units.ts";

/** Decimals of a result that is rounded. */
const MAX_DECIMALS = 4;
const NUMBER = String.raw`-?\d[\d.,']*`;
/** The lengths are limited, so that the comparison with a long message takes linear time. */
const NAME = String.raw`[$€£¥]|°?[a-zß][a-zß/-]{0,15}`;
const AMOUNT = String.raw`(?:${NUMBER}\s?(?:${NAME})|[$€£]\s?${NUMBER})(?:(?: and| und| et)? ?${NUMBER}\s?(?:${NAME}))?`;
const TARGET_LAST = new RegExp(
  String.raw`^(?:(?:please|can you|could you|convert|change|what(?:'s| is| are)|how much (?:is|are)|bitte|kannst du|rechne|was (?:sind|ist)|wie ?viel (?:sind|ist)|wandle|convertis|combien (?:font|fait)) )*(${AMOUNT})(?: (?:is|are|makes?|sind|ist|font|fait))?(?: =)?(?: (?:converted )?(?:to|in|into|as|zu|nach|en)| how (?:many|much)| wie ?viele?| combien de) (${NAME})(?: um)?$`,
);
const TARGET_FIRST = new RegExp(
  String.raw`^(?:how (?:many|much)|wie ?viele?|combien (?:de |d'))\s?(${NAME})(?: (?:are|is|in|make|equals?|sind|ist|haben|hat|font|fait|dans|there|y a-t-il)){1,3} (${AMOUNT})$`,
);
const PART = new RegExp(String.raw`(${NUMBER})\s?(${NAME})|([$€£])\s?(${NUMBER})`, "g");
const MAX_LENGTH = 120;

/** The conversion that a message asks for; null if the message asks for anything else. */
export function convertUnits(message: string, language: Language) {
  if (message.length > MAX_LENGTH) return null;
  const said = folded(message)
    .toLowerCase()
    .replaceAll("−", "-")
    .replace(/\bdegrees? |\bgrad |\bdegres? /g, "°")
    .replace(/°\s?(?=[cf]\b|celsius|fahrenheit)/g, "")
    .replace(/\s+/g, " ")
    .replace(/(?<![\s?.!])[\s?.!]+$/, "")
    .replace(/\b(?:an?|one|eine[mnr]?|une?) (?=[a-z]+$)/, "1 ")
    .trim();
  const last = TARGET_LAST.exec(said);
  const first = TARGET_FIRST.exec(said);
  const [amount, target] = last !== null ? [last[1], last[2]] : [first?.[2], first?.[1]];
  if (amount === undefined || target === undefined) return null;
  const parts = [...amount.matchAll(PART)].map(([, after = "", name = "", sign = name, before = after]) => ({
    value: numberOf(before, language),
    units: unitsNamed(sign),
  }));
  for (const wanted of unitsNamed(target)) {
    const result = converted(parts, wanted, language);
    if (result !== null) return result;
  }
  return null;
}

interface Part {
  readonly value: Fraction | null;
  readonly units: readonly Unit[];
}

function converted(parts: readonly Part[], wanted: Unit, language: Language) {
  let total: Fraction | null = null;
  const said: string[] = [];
  for (const { value, units } of parts) {
    const unit = units.find(({ kind }) => kind === wanted.kind);
    if (unit === undefined || value === null) return null;
    const base = toBase(value, unit);
    total = total === null ? base : add(total, base);
    said.push(quantity(decimal(value, language).value, unit));
  }
  const expression = said.join(" ");
  if (total === null) return null;
  if (wanted.kind === "money") return { expression, problem: "exchangeRates" } as const;
  const { value, isExact } = decimal(fromBase(total, wanted), language, MAX_DECIMALS);
  return { expression, value: quantity(value, wanted), isExact };
}

function quantity(value: string, { sign }: Unit): string {
  return `${value} ${sign}`;
}

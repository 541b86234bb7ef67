/** The days, weeks or months between two dates, such as `How many days are between 3 March and 19 November 2026?`. */
import { addMonths, asDateWords, dateNamed, daysFrom, yearIn } from "./dates.ts";
import type { Language } from "./phrases/language.ts";

const ASKED =
  /^(?:and |und |et )?(?:how many (?:days|weeks|months) (?:are|is|were|lie)?(?: there)?|(?:the )?(?:number of )?(?:days|weeks|months)|how long is it|wie ?viele (?:tage|wochen|monate) (?:sind|liegen)(?: es)?|combien de (?:jours|semaines|mois) (?:y a-t-il|separent)?)\s*(?:between|from|zwischen|vom?|entre|du)?\s+(.{4,40}?)\s+(?:and|to|until|till|und|bis(?: zum)?|et(?: le)?|au)\s+(.{4,40}?)\s*[?.!]*$/;

/** The days between two dates; null if the message does not ask for them, or if a date is incomplete. */
export function daysBetween(message: string, language: Language) {
  const said = asDateWords(message);
  const [, first, second] = ASKED.exec(said) ?? [];
  if (first === undefined || second === undefined) return null;
  const years = [yearIn(first), yearIn(second)] as const;
  const from = dateNamed(first, years[0] ?? years[1]);
  const to = dateNamed(second, years[1] ?? years[0]);
  if (from === null || to === null) return null;
  const days = formatted(daysFrom(from, to), "day", language);
  const larger = /\b(?:weeks|wochen|semaines)\b/.test(said)
    ? inWeeks
    : /\b(?:months|monate|mois)\b/.test(said)
      ? inMonths
      : null;
  const value = larger === null || from > to ? days : `${days} (${larger(from, to, language)})`;
  return { expression: `${to} − ${from}`, value, isExact: true };
}

function inWeeks(from: string, to: string, language: Language): string {
  const days = daysFrom(from, to);
  return listed(
    [
      [Math.floor(days / 7), "week"],
      [days % 7, "day"],
    ],
    language,
  );
}

function inMonths(from: string, to: string, language: Language): string {
  let months =
    (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));
  if ((addMonths(from, months) ?? to) > to) months--;
  return listed(
    [
      [months, "month"],
      [daysFrom(addMonths(from, months) ?? from, to), "day"],
    ],
    language,
  );
}

type Unit = "day" | "week" | "month";

function listed(parts: readonly (readonly [number, Unit])[], language: Language): string {
  const shown = parts.filter(([count], nth) => count > 0 || nth === 0);
  return shown.map(([count, unit]) => formatted(count, unit, language)).join(", ");
}

function formatted(count: number, unit: Unit, language: Language): string {
  const form = { style: "unit", unit, unitDisplay: "long", useGrouping: false } as const;
  return new Intl.NumberFormat(language, form).format(count);
}

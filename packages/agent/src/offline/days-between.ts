/** The days between two dates of a question, such as `How many days are between 3 March and 19 November 2026?`. */
import { asDateWords, dateNamed, daysFrom, yearIn } from "./dates.ts";
import type { Language } from "./phrases/language.ts";

const ASKED =
  /^(?:and |und |et )?(?:how many days (?:are|is|were|lie)?(?: there)?|(?:the )?(?:number of )?days|wie ?viele tage (?:sind|liegen)(?: es)?|combien de jours (?:y a-t-il|separent)?)\s*(?:between|from|zwischen|vom?|entre|du)?\s+(.{4,40}?)\s+(?:and|to|until|till|und|bis(?: zum)?|et(?: le)?|au)\s+(.{4,40}?)\s*[?.!]*$/;

/** The days between two dates; null if the message does not ask for them, or if a date is incomplete. */
export function daysBetween(message: string, language: Language) {
  const [, first, second] = ASKED.exec(asDateWords(message)) ?? [];
  if (first === undefined || second === undefined) return null;
  const years = [yearIn(first), yearIn(second)] as const;
  const from = dateNamed(first, years[0] ?? years[1]);
  const to = dateNamed(second, years[1] ?? years[0]);
  if (from === null || to === null) return null;
  const form = { style: "unit", unit: "day", unitDisplay: "long", useGrouping: false } as const;
  const value = new Intl.NumberFormat(language, form).format(daysFrom(from, to));
  return { expression: `${to} − ${from}`, value, isExact: true };
}

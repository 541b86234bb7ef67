/** The days between two dates of a question, such as `How many days are between 3 March and 19 November 2026?`. */
import { monthNames } from "./month-names.ts";
import { folded, type Language } from "./phrases/language.ts";

const ASKED =
  /^(?:and |und |et )?(?:how many days (?:are|is|were|lie)?(?: there)?|(?:the )?(?:number of )?days|wie ?viele tage (?:sind|liegen)(?: es)?|combien de jours (?:y a-t-il|separent)?)\s*(?:between|from|zwischen|vom?|entre|du)?\s+(.{4,40}?)\s+(?:and|to|until|till|und|bis(?: zum)?|et(?: le)?|au)\s+(.{4,40}?)\s*[?.!]*$/;
const DAY_MS = 86_400_000;

/** Null if the message asks anything else, or if a date is incomplete. */
export function daysBetween(message: string, language: Language) {
  const [, first, second] = ASKED.exec(folded(message).toLowerCase().trim()) ?? [];
  if (first === undefined || second === undefined) return null;
  const years = [yearOf(first), yearOf(second)] as const;
  const from = dateOf(first, years[0] ?? years[1]);
  const to = dateOf(second, years[1] ?? years[0]);
  if (from === null || to === null) return null;
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
  const form = { style: "unit", unit: "day", unitDisplay: "long", useGrouping: false } as const;
  const value = new Intl.NumberFormat(language, form).format(days);
  return { expression: `${to} − ${from}`, value, isExact: true };
}

function yearOf(said: string): string | undefined {
  return /(?<!\d)\d{4}(?!\d)/.exec(said)?.[0];
}

/** A date in the form `2026-03-03`; null for a date that does not exist. */
function dateOf(said: string, year: string | undefined): string | null {
  const iso = /^\d{4}-\d\d-\d\d$/.exec(said)?.[0];
  const bare = said.replace(/^(?:the|dem|den|der|le|du)\s+/, "").replace(/[,\s]*(?<!\d)\d{4}$/, "");
  const [, day = "", name = ""] = /^(\d{1,2})(?:\.|st|nd|rd|th|er)?\s+(?:of |de )?(\p{L}+)$/u.exec(bare) ?? [];
  const [, named = "", ordinal = ""] = /^(\p{L}+)\s+(\d{1,2})(?:st|nd|rd|th)?$/u.exec(bare) ?? [];
  const month = Array.from({ length: 12 }, (_, nth) => nth + 1).find((nth) => monthNames(nth).has(name || named));
  if (iso === undefined && (month === undefined || year === undefined)) return null;
  const date = iso ?? `${year}-${String(month).padStart(2, "0")}-${(day || ordinal).padStart(2, "0")}`;
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : null;
}

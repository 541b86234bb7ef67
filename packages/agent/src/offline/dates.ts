/** Dates that a question names: `14 March 2027`, `March 14`, `2027-03-14`, `Christmas`, `tomorrow`. */
import { monthNames } from "./month-names.ts";
import { folded } from "./phrases/language.ts";

const DAY_MS = 86_400_000;

/** Month and day of each feast. The names are without accents. */
const FEASTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "12-24": "christmas eve|heiligabend|heilig abend|reveillon de noel",
    "12-25": "christmas|christmas day|weihnachten|noel",
    "12-31": "year|end of the year|end of year|jahresende|fin de l'annee|new year's eve|silvester|saint-sylvestre",
    "01-01": "new year|new years|new year's|new year's day|neujahr|nouvel an|jour de l'an",
    "02-14": "valentine's day|valentinstag|saint-valentin",
    "10-31": "halloween",
  }).flatMap(([day, names]) => names.split("|").map((name) => [name, day] as const)),
);
const FROM_TODAY: ReadonlyMap<string, number> = new Map([
  ...["today", "now", "heute", "jetzt", "aujourd'hui"].map((name) => [name, 0] as const),
  ...["tomorrow", "morgen", "demain"].map((name) => [name, 1] as const),
  ...["yesterday", "gestern", "hier"].map((name) => [name, -1] as const),
]);

/** A date in the form `2026-03-03`; null for a date that does not exist, or that lacks a year. */
export function dateNamed(said: string, year: string | undefined): string | null {
  const bare = said
    .replace(/^(?:the|this|on|dem|den|der|am|le|du)\s+/, "")
    .replace(/[,\s]*(?<!\d)\d{4}$/, "")
    .trim();
  const iso = /^\d{4}-\d\d-\d\d$/.exec(said)?.[0];
  const [, day = "", name = ""] = /^(\d{1,2})(?:\.|st|nd|rd|th|er)?\s+(?:of |de )?(\p{L}+)$/u.exec(bare) ?? [];
  const [, named = "", ordinal = ""] = /^(\p{L}+)\s+(\d{1,2})(?:st|nd|rd|th)?$/u.exec(bare) ?? [];
  const month = Array.from({ length: 12 }, (_, nth) => nth + 1).find((nth) => isMonth(nth, name || named));
  const feast = FEASTS.get(bare);
  if (iso === undefined && ((month === undefined && feast === undefined) || year === undefined)) return null;
  const monthAndDay = feast ?? `${String(month).padStart(2, "0")}-${(day || ordinal).padStart(2, "0")}`;
  const date = iso ?? `${year}-${monthAndDay}`;
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : null;
}

/** The date that a question names. A date without a year is the next one from `today` on. */
export function dateFrom(said: string, today: string): string | null {
  const near = FROM_TODAY.get(said);
  if (near !== undefined) return addDays(today, near);
  const year = yearIn(said);
  if (year !== undefined) return dateNamed(said, year);
  const thisYear = dateNamed(said, today.slice(0, 4));
  return thisYear === null || thisYear >= today ? thisYear : dateNamed(said, String(Number(today.slice(0, 4)) + 1));
}

export function yearIn(said: string): string | undefined {
  return /(?<!\d)\d{4}(?!\d)/.exec(said)?.[0];
}

export function daysFrom(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** The date after a number of days; null for a year before 1000 or after 9999. */
export function addDays(date: string, days: number): string | null {
  return written(Date.parse(date) + days * DAY_MS);
}

/** The date after a number of months. If the month lacks the day, its last day: 28 February for 31 January. */
export function addMonths(date: string, months: number): string | null {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return written(Date.UTC(year, month - 1 + months, Math.min(day, last)));
}

function written(time: number): string | null {
  const date = new Date(time);
  const isWritable = !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 1000 && date.getUTCFullYear() <= 9999;
  return isWritable ? date.toISOString().slice(0, 10) : null;
}

/** Whether a word is a month's name, or the first three letters of a name, such as `mar`. */
function isMonth(nth: number, word: string): boolean {
  const names = monthNames(nth);
  return names.has(word) || (word.length === 3 && names.values().some((name) => name.startsWith(word)));
}

export const asDateWords = (said: string) => folded(said).toLowerCase().replace(/\s+/g, " ").trim();

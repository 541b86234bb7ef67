/**
 * Dates in one normalised form, however they were written: `2026-02-09`, `9.2.2026`, `Feb 9th, 2026`, `9 de febrero`.
 * Each date gives all terms by which it can be searched: the day, the month of its year, and the day without a year.
 */
import type { Tokens } from "./tokens.ts";

const NAMES: readonly string[] = [
  "january jan januar janvier enero ene gennaio gen janeiro januari января январь",
  "february feb februar fevrier fev febrero febbraio fevereiro februari февраля февраль",
  "march mar marz maerz mars marzo marco maart mrt марта март",
  "april apr avril abril abr aprile апреля апрель",
  "may mai mayo maggio maio mei maj мая май",
  "june jun juni juin junio giugno giu junho июня июнь",
  "july jul juli juillet julio luglio lug julho июля июль",
  "august aug aout agosto ago august augustus augusti августа август",
  "september sep sept septembre septiembre settembre set setembro сентября сентябрь",
  "october oct oktober okt octobre octubre ottobre ott outubro out октября октябрь",
  "november nov novembre noviembre novembro ноября ноябрь",
  "december dec dezember dez decembre diciembre dic dicembre dezembro декабря декабрь",
];
const MONTHS = new Map(
  NAMES.flatMap((names, nth) => names.split(" ").map((name): [string, number] => [name, nth + 1])),
);
const DAY = /^(\d{1,2})(?:st|nd|rd|th|er|e)?$/;
const YEAR = /^(?:19|20)\d\d$/;
const BETWEEN = new Set(["of", "de", "del", "the", "di"]);

export function datesIn({ words, joints }: Tokens): string[] {
  // A text without a number contains no date.
  if (!words.some(({ text }) => isDigit(text.charCodeAt(0)))) return [];
  const texts = words.map(({ text }) => text);
  const found: string[] = [];
  for (const [nth, text] of texts.entries()) {
    const month = MONTHS.get(text);
    if (month !== undefined) found.push(...named(texts, nth, month));
    const joint = joints[nth + 1] ?? "";
    if (isDateJoint(joint) && joint === joints[nth + 2])
      found.push(...numeric(text, texts[nth + 1] ?? "", texts[nth + 2] ?? ""));
  }
  return found;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isDateJoint(joint: string): boolean {
  return joint === "-" || joint === "/" || joint === ".";
}

/** Day first or month first; if both are possible, both are indexed. */
function numeric(first: string, second: string, third: string): string[] {
  if (YEAR.test(first)) return spellings(Number(first), Number(second), Number(third));
  if (!YEAR.test(third)) return [];
  const both = [
    ...spellings(Number(third), Number(second), Number(first)),
    ...spellings(Number(third), Number(first), Number(second)),
  ];
  return [...new Set(both)];
}

function named(texts: readonly string[], at: number, month: number): string[] {
  const before = texts[at - 1] ?? "";
  const earlier = BETWEEN.has(before) ? texts[at - 2] : before;
  const next = texts[at + 1] ?? "";
  const later = BETWEEN.has(next) ? texts[at + 2] : next;
  const dayBefore = dayOf(earlier);
  if (dayBefore !== null) return spellings(yearOf(later), month, dayBefore);
  const dayAfter = dayOf(later);
  if (dayAfter !== null) return spellings(yearOf(texts[at + (later === next ? 2 : 3)]), month, dayAfter);
  const year = yearOf(later);
  return year === null ? [] : [`${year}-${two(month)}`];
}

function dayOf(text = ""): number | null {
  const day = Number(DAY.exec(text)?.[1] ?? 0);
  return day >= 1 && day <= 31 ? day : null;
}

function yearOf(text = ""): number | null {
  return YEAR.test(text) ? Number(text) : null;
}

function spellings(year: number | null, month: number, day: number): string[] {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return [];
  const short = `${two(month)}-${two(day)}`;
  return year === null ? [short] : [`${year}-${short}`, `${year}-${two(month)}`, short];
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}

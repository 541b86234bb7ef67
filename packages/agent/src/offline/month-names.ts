/** The names of the months in English, German and French. */
import { folded } from "./phrases/language.ts";

const months = new Map<number, ReadonlySet<string>>();

/** The names of a month in each language. Making a formatter takes long, so the names are kept. */
export function monthNames(month: number): ReadonlySet<string> {
  const known = months.get(month);
  if (known !== undefined) return known;
  const date = new Date(Date.UTC(2000, month - 1, 1));
  const names = new Set(
    ["en", "de", "fr"].map((language) =>
      folded(new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" }).format(date)).toLowerCase(),
    ),
  );
  months.set(month, names);
  return names;
}

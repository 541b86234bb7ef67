/** The date and the time, as the runtime announces them to the model. */
import { languageOf } from "./phrases/language.ts";
import type { Situation } from "./situation.ts";

export function describeTime({ phrases, said, timeline: { now } }: Situation): string {
  const [, day, time, zone = "UTC"] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)[^ ]*(?: (\S+))?$/.exec(now ?? "") ?? [];
  if (day === undefined || time === undefined) return phrases.timeUnknown;
  const locale = { en: "en-GB", de: "de", fr: "fr" }[languageOf(said)];
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" }).format(Date.parse(day));
  return phrases.now(`${date}, ${time} (${zone})`);
}

/** Questions about dates that need the date of today: days until a date, its weekday, a date in some days, an age. */
import { addDays, addMonths, asDateWords, dateFrom, daysFrom, yearIn } from "./dates.ts";
import type { Language } from "./phrases/language.ts";

export interface DateQuestion {
  readonly kind: "until" | "since" | "weekday" | "after" | "age";
  /** What the question names: a date, or a number of days, weeks, months or years. */
  readonly named: string;
}

const SPAN = String.raw`(?:an? |one |\d{1,5} )(?:day|week|month|year)s?|(?:eine[mnr]? |\d{1,5} )(?:tag|woche|monat|jahr)e?[ns]?|(?:une? |\d{1,5} )(?:jour|semaine|mois|an|annee)s?`;
const FORMS: readonly (readonly [DateQuestion["kind"], RegExp])[] = [
  [
    "until",
    /^(?:how many (?:days|weeks|months) (?:are |is )?left (?:in|of|until|till)|how (?:many (?:days|weeks|months)|long)(?: is it| are there| are left| left| do we have)?(?: left)? (?:until|till|to|before)|days (?:until|till)|wie ?viele tage (?:sind es |bleiben |dauert es )?(?:noch )?bis(?: zu[mr])?|wie lange (?:ist es |dauert es )?(?:noch )?bis(?: zu[mr])?|(?:dans )?combien de jours (?:avant|jusqu'(?:a|au)|reste-t-il (?:avant|jusqu'a)))\s+(?<named>.{3,40})$/,
  ],
  [
    "since",
    /^(?:how (?:many days|long)(?: has it been| is it| ago (?:is|was))?(?: since)?|wie ?viele tage (?:sind es )?seit(?: dem)?|combien de jours depuis)\s+(?<named>.{3,40})$/,
  ],
  [
    "weekday",
    /^(?:what(?:'s| is| was| will be)? (?:the )?date(?: of| on)?|(?:what|which) (?:day of the week|weekday|day) (?:is|was|will)(?: it)?(?: on)?|on (?:what|which) (?:day|weekday) (?:is|was|does)|(?:an )?(?:welche[mrs]?|was fur ein) (?:wochen)?tag (?:ist|war|fallt)(?: der| am)?|quel jour (?:de la semaine )?(?:est|etait|tombe|sera)(?: le)?)\s+(?<named>.{3,40}?)(?: be| fall(?: on)?)?$/,
  ],
  [
    "after",
    new RegExp(
      String.raw`^(?:(?:what|which) (?:date|day)(?: is| was| will)?(?: it)?(?: be)?|what is the date|what(?:'s| is) today plus|welche[rns]? (?:tag|datum)(?: ist| war)?(?: es| heute)?|quelle (?:date|jour)(?: sera-t-il| est-ce)?) (?<named>(?:in |vor |dans |il y a )?(?:${SPAN})(?: from (?:now|today)| ago)?)$`,
    ),
  ],
  [
    "after",
    new RegExp(
      `^(?:(?:what|which) (?:date|day)(?: is| was| will)?(?: it)?(?: be)?|what(?:'s| is) (?:the date)?|welche[rns]? (?:tag|datum)(?: ist| war)?(?: es)?|quelle (?:date|jour)(?: sera-t-il| est-ce| est)?)? ?(?<named>(?:${SPAN}) (?:after|before|from|nach|vor|apres|avant) .{3,40})$`,
    ),
  ],
  [
    "age",
    /^(?:how old (?:is|am|are|would)(?: someone| somebody| a person| i| you)?(?: be)?(?:,? (?:if|who)(?: i| someone| you| they)?(?: was| were| is)?)? born(?: on| in)?|wie alt (?:ist|bin|ware)(?: jemand| ich)?,?(?: (?:der|wenn ich))?(?: am)?(?=.* geboren)|quel age a quelqu'un ne(?:e)?(?: le| en)?)\s+(?<named>.{4,40}?)(?: geboren(?: ist| wurde| bin)?)?$/,
  ],
];

/** The date from which days are counted: `90 days after 20 November 2026`. */
const FROM_DATE = /^(\S+ \S+) (after|before|from|nach|vor|apres|avant) (.+)$/;
const BACK = /^(?:before|vor|avant)$/;

/** The question about a date in a message; null for any other message. */
export function dateQuestionIn(message: string): DateQuestion | null {
  const said = asDateWords(message)
    .replace(/(?<![\s?.!])[\s?.!]+$/, "")
    .replace(/^(?:and|so|und|et|please|bitte|tell me) /, "");
  for (const [kind, form] of FORMS) {
    const named = form.exec(said)?.groups?.named;
    // Any date serves as today, because it does not matter for whether the words name a date.
    if (named !== undefined && answerDate({ kind, named }, "2000-01-01", "en") !== null) return { kind, named };
  }
  return null;
}

/** The answer to the question; null if the question names no date. `today`: in the form `2026-03-03`. */
export function answerDate({ kind, named }: DateQuestion, today: string, language: Language) {
  const inDays = (days: number) => formatted(days, "day", language);
  if (kind === "after") {
    const [, span = "", where = "", start] = FROM_DATE.exec(named) ?? [];
    const from = start === undefined ? today : dateFrom(start, today);
    const date = from === null ? null : shifted(named, from);
    const expression = start === undefined ? `${today} ${named}` : `${from} ${BACK.test(where) ? "−" : "+"} ${span}`;
    return date === null ? null : result(expression, weekdayOf(date, language));
  }
  if (kind === "age" && /^\d{4}$/.test(named)) {
    const years = Number(today.slice(0, 4)) - Number(named);
    return years < 0 ? null : result(`${today.slice(0, 4)} − ${named}`, formatted(years, "year", language), false);
  }
  const isPast = kind === "since" || kind === "age";
  const date = isPast && yearIn(named) === undefined ? lastBefore(named, today) : dateFrom(named, today);
  if (date === null) return null;
  switch (kind) {
    case "until":
      return result(`${date} − ${today}`, inDays(daysFrom(today, date)));
    case "since":
      return result(`${today} − ${date}`, inDays(daysFrom(date, today)));
    case "weekday":
      return result(date, weekdayOf(date, language));
    case "age":
      return result(`${today} − ${date}`, formatted(yearsBetween(date, today), "year", language));
  }
}

function result(expression: string, value: string, isExact = true) {
  return { expression, value, isExact };
}

/** The last feast or day without a year before today. */
function lastBefore(named: string, today: string): string | null {
  const next = dateFrom(named, today);
  return next === null || next <= today ? next : addMonths(next, -12);
}

function shifted(named: string, today: string): string | null {
  const [, written = "", unit = ""] = /(?:^|\s)(\d{1,5}|an?|one|eine?[mnr]?|une?) (\p{L})/u.exec(named) ?? [];
  const count =
    (/^\d/.test(written) ? Number(written) : 1) *
    (/ ago$|^vor |^il y a |^\S+ \S+ (?:before|vor|avant) /.test(named) ? -1 : 1);
  const word = named.slice(named.indexOf(unit, named.indexOf(written) + written.length));
  if (/^(?:month|monat|mois)/.test(word)) return addMonths(today, count);
  if (/^(?:year|jahr|an)/.test(word)) return addMonths(today, count * 12);
  return addDays(today, /^(?:week|woche|semaine)/.test(word) ? count * 7 : count);
}

function yearsBetween(from: string, to: string): number {
  return Number(to.slice(0, 4)) - Number(from.slice(0, 4)) - (to.slice(5) < from.slice(5) ? 1 : 0);
}

function weekdayOf(date: string, language: Language): string {
  const locale = { en: "en-GB", de: "de", fr: "fr" }[language];
  return new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" }).format(Date.parse(date));
}

function formatted(count: number, unit: "day" | "year", language: Language): string {
  const form = { style: "unit", unit, unitDisplay: "long", useGrouping: false } as const;
  return new Intl.NumberFormat(language, form).format(count);
}

/** Sums in words, as expressions: a bill that people share, the time of a journey, a part as a percentage. */
import { folded } from "./phrases/language.ts";

export interface WordSum {
  readonly sum: string;
  /** The unit that is written after the result; empty for none. */
  readonly unit: string;
}

const NUMBER = String.raw`\d[\d.,']*(?<=\d)`;
const EACH =
  /\b(?:each|per (?:person|head)|a head|everyone pay|pro (?:person|kopf|nase)|jeder|par (?:personne|tete)|chacun)\b/;
const PEOPLE =
  /(?<![\d.,])(\d{1,4}) (?:people|persons|friends|of us|guests|personen|leuten?|freunden?|personnes|amis)\b/;
const TIP = new RegExp(String.raw`(${NUMBER}) ?(?:%|percent|prozent|pour ?cent) (?:tip|trinkgeld|(?:de )?pourboire)\b`);
const PERCENT = "(?:percentage|percent|per cent|prozent|%|pourcentage)";
const SHARE = new RegExp(
  String.raw`^(?:what(?:'s| is)|was ist|combien fait)? ?([\d.,'+*/() -]{1,60}?) (?:as|in|als|en) (?:an? )?${PERCENT}(?: (?:of|von|de) (${NUMBER}))?$`,
);
const PART_OF = new RegExp(String.raw`^what ${PERCENT} of (${NUMBER}) (?:is|are) (${NUMBER})$`);
const JOURNEY = new RegExp(
  String.raw`(?<![\d.,])(${NUMBER}) ?(km|kilomet(?:er|re)s?|kilometern|mi|miles?) (?:at|with|mit|bei|a) (${NUMBER}) ?(km/h|kmh|kph|mph)(?![a-z/])`,
);
const HOW_LONG = /\b(?:how long|how many hours|wie lange|combien de temps)\b/;

/** The sum that the words mean; null for any other message. */
export function wordSum(message: string): WordSum | null {
  const said = folded(message)
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/(?<![\s?!.])[\s?!.]+$/, "")
    .trim();
  return sharedBill(said) ?? journey(said) ?? percentage(said);
}

/** Any other number could change the sum, so a bill with one is not computed. */
function sharedBill(said: string): WordSum | null {
  const [people = "", count] = PEOPLE.exec(said) ?? [];
  if (count === undefined || !EACH.test(said)) return null;
  const [tip = "", percent] = TIP.exec(said) ?? [];
  const numbers = said.replace(people, " ").replace(tip, " ").match(new RegExp(NUMBER, "g")) ?? [];
  const [bill] = numbers;
  if (bill === undefined || numbers.length > 1) return null;
  return { sum: percent === undefined ? `${bill} / ${count} =` : `(${bill} + ${percent}%) / ${count} =`, unit: "" };
}

function journey(said: string): WordSum | null {
  const [words = "", distance, unit = "", speed, per = ""] = JOURNEY.exec(said) ?? [];
  if (distance === undefined || !HOW_LONG.test(said) || /\d/.test(said.replace(words, ""))) return null;
  return unit.startsWith("k") === per.startsWith("k") ? { sum: `${distance} / ${speed} =`, unit: " h" } : null;
}

function percentage(said: string): WordSum | null {
  const [, all, part] = PART_OF.exec(said) ?? [];
  if (all !== undefined) return { sum: `${part} / ${all} * 100 =`, unit: "%" };
  const [, whole, of] = SHARE.exec(said) ?? [];
  if (whole === undefined) return null;
  const one = /[-+]/.test(whole) ? `(${whole})` : whole;
  return { sum: `${one}${of === undefined ? "" : ` / ${of}`} * 100 =`, unit: "%" };
}
